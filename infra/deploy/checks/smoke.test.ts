import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { folderStore } from '../store/folder-store.js';
import { smokeProblems } from './smoke.js';

/** A page that shows no tab: the browser waits for one in vain. */
const page = {
  context: () => ({ route: async () => undefined }),
  evaluate: () => Promise.reject(new Error('no runtime')),
};
vi.mock('./browser.js', () => ({
  withPage: (_origin: string, run: (of: typeof page) => Promise<string[]>) => run(page),
  listenTo: async () => ({ faults: ['Error: it does not start'], shown: [] }),
  visitTabs: async () => {
    throw new Error('locator.waitFor: Timeout 15000ms exceeded.\nCall log:');
  },
}));
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['shell', []],
  ['mfe_tasks', ['page']],
])(
  'a page that does not start is refused for what it has reported, and for what it has not shown: %s',
  async (name, exposes) => {
    vi.stubGlobal('fetch', async () => Response.json({ modules: {} }));
    const store = folderStore(mkdtempSync(path.join(tmpdir(), 'cord-smoke-')));
    const facts = { version: '1-a', sdk: '^1.0.0', ui: '^1.0.0', parts: [], exposes, files: {} };
    expect(await smokeProblems(store, 'http://localhost:1', name, facts as never, () => undefined)).toEqual([
      'Error: it does not start',
      'locator.waitFor: Timeout 15000ms exceeded.',
      `no tab has shown ${name} 1-a`,
    ]);
  },
);
