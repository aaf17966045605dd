import { get } from 'node:http';
import { rounded } from './budgets.mjs';
import { DESK, giveSession, launch, signedInMiner } from './visitor.mjs';

const PAGES = { node: 'Mining', tasks: 'Task Center', leaderboard: 'Rankings', referrals: 'Referrals' };
/** Pages fetch ahead when they have nothing else to do. */
const IDLE_MS = 4_000;

/**
 * The JavaScript that the gateway really sends, KiB of gzip: to the landing page; of the shell, to the dashboard; and of
 * each module, over its page and the parts that it lends. What is shared comes with the shell, so a module's files are its own code.
 */
export async function measureSizes({ origin }) {
  const browser = await launch();
  try {
    const landing = await scriptsOf(browser, origin, null, ['']);
    const person = await signedInMiner(origin);
    const dashboard = await scriptsOf(browser, origin, person, ['']);
    const everywhere = await scriptsOf(browser, origin, person, [
      '',
      ...Object.keys(PAGES).map((tab) => `?tab=${tab}`),
    ]);
    const shell = dashboard.filter((url) => !moduleOf(url));
    const modules = [...new Set(everywhere.map(moduleOf).filter(Boolean))].sort();
    return [
      ['landing_js_kib', await weigh('landing', landing)],
      ['signed_in_js_kib', await weigh('signed-in shell with dashboard', shell)],
      ...(await inTurn(modules, async (name) => [
        `${name}_js_kib`,
        await weigh(
          name,
          everywhere.filter((url) => moduleOf(url) === name),
        ),
      ])),
    ];
  } finally {
    await browser.close();
  }
}

/** Addresses of every script that a visit of these addresses fetches. */
async function scriptsOf(browser, origin, person, addresses) {
  const context = await browser.newContext({ viewport: DESK });
  if (person) await giveSession(context, person);
  const found = new Set();
  for (const address of addresses) {
    const page = await context.newPage();
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin === origin && isScript(request, url)) found.add(url.href);
    });
    await page.goto(`${origin}/${address}`, { waitUntil: 'networkidle' });
    await page.waitForTimeout(IDLE_MS);
    await page.close();
  }
  await context.close();
  return [...found];
}

/** What local mode alone adds lies under /dev and is in no bundle. */
function isScript(request, { pathname }) {
  return (request.resourceType() === 'script' || pathname.endsWith('.js')) && !pathname.startsWith('/dev/');
}

/** @returns the module that a script belongs to, null for the shell's */
function moduleOf(url) {
  return /^\/modules\/([^/]+)\//.exec(new URL(url).pathname)?.[1] ?? null;
}

async function weigh(name, urls) {
  const bytes = await inTurn(urls, bytesOf);
  const sum = bytes.reduce((total, each) => total + each, 0);
  console.log(`${name}: ${urls.length} scripts, ${sum} bytes`);
  return rounded(sum / 1024);
}

/** Bytes of a script as sent to a browser that takes gzip. */
function bytesOf(url) {
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

async function inTurn(items, work) {
  const results = [];
  for (const item of items) results.push(await work(item));
  return results;
}
