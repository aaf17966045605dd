import type { Page, Route } from 'playwright-core';
import { changeRegistry, type Registry, withEntry } from './registry-in-page.js';

const NAME = 'mfe_leaderboard';
const FILES = `**/modules/${NAME}/**`;
const MANIFEST = `**/modules/${NAME}/*/mf-manifest.json`;
const ENTRY = `**/modules/${NAME}/*/remoteEntry.js`;
const CHUNKS = `**/modules/${NAME}/*/assets/*.js`;

/** A version that exists in a test only; it uses the files of the live one. */
const ELSEWHERE = '1.0.0-elsewhere';

/** A way in which Rankings fails to load. */
export interface Breakage {
  name: string;
  breaks(page: Page): Promise<unknown>;
  /** Repairs it; by default the test removes the breakage. */
  mends?(page: Page): Promise<unknown>;
  /** Text shown in its place; by default that it could not be loaded. */
  shows?: string;
  /** Whether even the registry's list of tabs is missing. */
  blind?: boolean;
}

const never = () => new Promise<void>(() => undefined);
const answering =
  (status: number, body: string, contentType = 'text/javascript') =>
  (route: Route) =>
    route.fulfill({ status, body, contentType });

/** A handwritten container whose page throws during render. */
const THROWS_IN_RENDER = `var ${NAME} = { init() {}, get: async () => () => ({
  Page() { throw new Error('fell in'); } }) };`;

export const BREAKAGES: Breakage[] = [
  { name: 'down', breaks: (page) => page.route(FILES, (route) => route.abort()) },
  { name: 'a manifest that hangs', breaks: (page) => page.route(MANIFEST, never) },
  { name: 'an entry that hangs', breaks: (page) => page.route(ENTRY, never) },
  { name: 'a chunk that hangs', breaks: (page) => page.route(CHUNKS, never) },
  {
    name: 'a manifest that is a 500 with JSON',
    breaks: (page) => page.route(MANIFEST, answering(500, '{"error":"down"}', 'application/json')),
  },
  { name: 'a chunk that is a 404', breaks: (page) => page.route(CHUNKS, answering(404, '')) },
  {
    name: 'a chunk that was changed since its build',
    breaks: (page) =>
      page.route(CHUNKS, async (route) => {
        const response = await route.fetch();
        // A browser would cache immutable files.
        const headers = { ...response.headers(), 'cache-control': 'no-store' };
        await route.fulfill({ response, headers, body: `${await response.text()};` });
      }),
  },
  {
    name: 'an entry that throws as it is evaluated',
    breaks: (page) => published(page, ENTRY, 'throw new Error("at evaluation");'),
  },
  {
    name: 'a page that throws as it renders, until the next publish',
    breaks: (page) => published(page, ENTRY, THROWS_IN_RENDER),
    mends: async (page) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await publishElsewhere(page);
    },
  },
  {
    name: 'a module that wants another sdk',
    breaks: (page) =>
      changeRegistry(
        page,
        withEntry(NAME, (entry) => ({ ...entry, sdk: '^99.0.0' })),
      ),
    shows: 'It does not work with this version of CORD.',
  },
  {
    name: 'all modules of the release before, in the shell of this one',
    breaks: (page) =>
      changeRegistry(page, ({ modules, ...registry }) => ({ ...registry, modules: allOf(modules, '^1.3.0') })),
    shows: 'It does not work with this version of CORD.',
  },
  {
    name: 'a registry that is corrupt',
    breaks: (page) => changeRegistry(page, () => '{"modules":'),
    shows: 'could not be loaded',
    blind: true,
  },
  {
    name: 'an entry that is bad, beside those of others',
    breaks: (page) =>
      changeRegistry(
        page,
        withEntry(NAME, (entry) => ({ ...entry, version: 7 })),
      ),
  },
  {
    name: 'a chunk that was pruned while the page was open',
    breaks: (page) => page.route(CHUNKS, answering(404, '')),
    mends: async (page) => {
      // The version that the page was opened with stays broken; another is live by now.
      await publishElsewhere(page);
    },
  },
];

/** Replaces an entry script as if it had been published so: removes the hash from the registry. */
async function published(page: Page, entry: string, script: string): Promise<void> {
  await page.route(entry, answering(200, script));
  await changeRegistry(
    page,
    withEntry(NAME, ({ integrity: _integrity, ...facts }) => facts),
  );
}

/** Makes another version live, with the files of the current one. */
export async function publishElsewhere(page: Page): Promise<void> {
  let inUse = '';
  await changeRegistry(
    page,
    withEntry(NAME, (entry) => {
      inUse = String(entry.version);
      return { ...entry, version: ELSEWHERE, entry: `/modules/${NAME}/${ELSEWHERE}/mf-manifest.json` };
    }),
  );
  await page.route(`**/modules/${NAME}/${ELSEWHERE}/**`, async (route) => {
    const url = route.request().url().replace(ELSEWHERE, inUse);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
}

function allOf(modules: Registry['modules'], sdk: string): Registry['modules'] {
  return Object.fromEntries(Object.entries(modules).map(([name, entry]) => [name, { ...entry, sdk }]));
}
