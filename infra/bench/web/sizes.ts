import { get } from 'node:http';
import type { Browser, Request } from 'playwright-core';
import { call, type Person } from '../../test/kit/people.ts';
import { until } from '../../test/kit/until.ts';
import { type Measure, rounded } from './budgets.ts';
import { DESK, launch, openContext, signedInMiner } from './visitor.ts';

const PAGES = { node: 'Mining', tasks: 'Task Center', leaderboard: 'Rankings', referrals: 'Referrals' };
const ROOM = 'mfe_admin';
const CONTAINER = '/remoteEntry.js';
/** The views of the operators' room by their URL names; each loads its own files when it is opened. */
const VIEWS = ['overview', 'support', 'users', 'epochs', 'holds', 'modules', 'audit'];
/** Extra time of a visit for idle prefetches. */
const IDLE_MS = 4_000;
/** The dashboard prefetches once it is quiet, on a busy machine only after 10 s (shell/app/quiet.ts). */
const QUIET_MS = 12_000;

/**
 * The JavaScript that the gateway really sends, KiB of gzip: for the landing page; the shell's for the dashboard, and its
 * prefetches; each module's for its page and parts. For the operators' room, split into many files, each view's without
 * the container that every module has, as in a publish. The shell carries shared code, so a module's files are its own.
 */
export const measureSizes: Measure = async ({ origin }) => {
  const browser = await launch();
  try {
    const landing = (await scriptsOf(browser, origin, null, [''])).all;
    const person = await signedInMiner(origin);
    const dashboard = await scriptsOf(browser, origin, person, [''], QUIET_MS);
    const tabs = Object.keys(PAGES).map((tab) => `?tab=${tab}`);
    const everywhere = (await scriptsOf(browser, origin, person, ['', ...tabs])).all;
    const operator = await signedInMiner(origin);
    await makeOperator(origin, operator);
    const shell = dashboard.needed.filter((url) => !moduleOf(url));
    const ahead = dashboard.all.filter((url) => !moduleOf(url) && !shell.includes(url));
    const opened = (name: string, urls: string[]) =>
      measureScripts(
        name,
        urls.filter((url) => moduleOf(url) === name.split(' ')[0]),
      );
    const modules = [...new Set(everywhere.map(moduleOf))].filter((name) => name !== null).sort();
    return [
      ['landing_js_kib', await measureScripts('landing', landing)],
      ['signed_in_js_kib', await measureScripts('signed-in shell with dashboard', shell)],
      ['signed_in_ahead_js_kib', await measureScripts('fetched ahead once it is quiet', ahead)],
      ...(await inTurn(modules, async (name): Promise<Size> => [`${name}_js_kib`, await opened(name, everywhere)])),
      ...(await inTurn(VIEWS, async (view): Promise<Size> => {
        const urls = await scriptsOf(browser, origin, operator, [`?tab=admin&view=${view}`]);
        const own = urls.all.filter((url) => !url.endsWith(CONTAINER));
        return [`room_${view}_js_kib`, await opened(`${ROOM} ${view}`, own)];
      })),
    ];
  } finally {
    await browser.close();
  }
};

/** KiB by name. */
type Size = [name: string, kib: number];

/** Makes the user an operator and waits until every service knows. */
async function makeOperator(origin: string, person: Person) {
  await fetch(`${origin}/dev/users/${person.id}/admin`, { method: 'POST' });
  await until(
    'the services know the operator',
    async () => (await call(person, 'GET', '/admin/overview')) !== undefined,
  );
}

/** Returns the URLs of the scripts that visits fetch: the initial ones, which come without a pause, and all. */
async function scriptsOf(
  browser: Browser,
  origin: string,
  person: Person | null,
  addresses: string[],
  waitMs = IDLE_MS,
) {
  const context = await openContext(browser, person, { viewport: DESK });
  const found = new Set<string>();
  const needed = new Set<string>();
  for (const address of addresses) {
    const page = await context.newPage();
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin === origin && isScript(request, url)) found.add(url.href);
    });
    await page.goto(`${origin}/${address}`, { waitUntil: 'networkidle' });
    for (const url of found) needed.add(url);
    await page.waitForTimeout(waitMs);
    await page.close();
  }
  await context.close();
  return { needed: [...needed], all: [...found] };
}

/** Code of local mode only is under /dev and in no bundle. */
function isScript(request: Request, { pathname }: URL) {
  return (request.resourceType() === 'script' || pathname.endsWith('.js')) && !pathname.startsWith('/dev/');
}

/** @returns the module of a script, null for the shell's */
function moduleOf(url: string) {
  return /^\/modules\/([^/]+)\//.exec(new URL(url).pathname)?.[1] ?? null;
}

async function measureScripts(name: string, urls: string[]) {
  if (urls.length === 0) throw new Error(`${name} loaded no script`);
  const bytes = await inTurn(urls, bytesOf);
  const sum = bytes.reduce((total, each) => total + each, 0);
  const each = urls.map((url, at) => `${new URL(url).pathname.split('/').at(-1)} ${bytes[at]}`);
  console.log(`${name}: ${urls.length} scripts, ${sum} bytes: ${each.join(', ')}`);
  return rounded(sum / 1024);
}

/** Size of a script as sent with gzip, in bytes. */
function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
      });
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${url}: ${response.statusCode}`)),
      );
    }).on('error', reject);
  });
}

async function inTurn<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
