import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { folderStore } from '../store/folder-store.js';
import { smokeProblems } from './smoke.js';

const visitTabs = vi.hoisted(() => vi.fn<() => Promise<string[]>>());
const page = {
  context: () => ({ route: async () => undefined }),
  evaluate: async (run: (given: unknown) => unknown, given: unknown) => run(given),
};
vi.mock('./browser.js', () => ({
  inChromium: (fault: string) => fault,
  withPage: (_origin: string, run: (of: typeof page) => Promise<string[]>) => run(page),
  listenTo: async () => ({ faults: ['Error: it does not start'], shown: [] }),
  visitTabs,
}));
afterEach(() => vi.unstubAllGlobals());

const TAB = 'the tab tasks shows: Tasks could not be loaded';

function problemsOf(name: string, exposes: string[], parts: object[] = []): Promise<string[]> {
  vi.stubGlobal('fetch', async () => Response.json({ modules: {} }));
  const store = folderStore(mkdtempSync(path.join(tmpdir(), 'cord-smoke-')));
  const facts = { version: '1-a', sdk: '^1.0.0', ui: '^1.0.0', parts, exposes, files: {} };
  return smokeProblems(store, 'http://localhost:1', name, facts as never, () => undefined);
}

test.each([
  ['shell', []],
  ['mfe_tasks', ['page']],
])(
  'a page that does not start is rejected for its errors and for each version not shown: %s',
  async (name, exposes) => {
    // The browser's wait for a tab times out.
    visitTabs.mockRejectedValueOnce(new Error('locator.waitFor: Timeout 15000ms exceeded.\nCall log:'));
    expect(await problemsOf(name, exposes)).toEqual([
      'Error: it does not start',
      'locator.waitFor: Timeout 15000ms exceeded.',
      `no tab showed ${name} 1-a`,
    ]);
  },
);

test('a tab that shows a failure is rejected, unless it also fails with the release in use', async () => {
  visitTabs.mockResolvedValueOnce([TAB, TAB]).mockResolvedValueOnce([]);
  expect(await problemsOf('shell', [])).toContain(TAB);
  visitTabs.mockResolvedValueOnce([TAB]).mockResolvedValueOnce([TAB]);
  expect(await problemsOf('shell', [])).not.toContain(TAB);
});

test('./parts has to export each part of its module and the action of the welcome button', async () => {
  const parts = [{ name: 'card' }, { name: 'start', place: 'welcome.start' }];
  const lackingOf = async (exported: object) => {
    const federation = { options: { remotes: [] }, registerRemotes: () => undefined, loadRemote: async () => exported };
    vi.stubGlobal('__FEDERATION__', { __INSTANCES__: [federation] });
    vi.stubGlobal('location', new URL('http://localhost:1'));
    visitTabs.mockResolvedValueOnce([]);
    const faults = await problemsOf('mfe_tasks', ['parts'], parts);
    return faults.filter((fault) => fault.startsWith('./parts'));
  };
  expect(await lackingOf({ parts: { card: {} }, actions: { start: {} } })).toEqual([]);
  expect(await lackingOf({ parts: { start: {} } })).toEqual([
    './parts does not export the part card',
    './parts does not export the action start',
  ]);
});
