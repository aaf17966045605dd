import { defineConfig } from 'vitest/config';
import { reachOwnMachine } from './infra/dev/starter/own-machine.mjs';

/** Tests write times of the day: the same on every machine, in whatever zone it stands. */
process.env.TZ = 'UTC';
reachOwnMachine();

/** Long forms (infra/test/README.md): files that only `npm run proof` runs, and `PROOF=1 npx vitest`. */
const LONG = process.env.PROOF === '1' ? [] : ['**/*.proof.test.ts'];
const NOT_OURS = ['**/node_modules/**', '**/dist/**', ...LONG];
/** It shows code that has not been loaded yet, so it does not share its modules with other screens. */
const ALONE = '**/on-demand.test.tsx';
/** They replace a module for all that they import: what another file of their worker had imported would keep the true one, as the machine's time. */
export const REPLACING = [
  'infra/test/simulation/**/*.test.ts',
  'infra/cli/dead-letters.test.ts',
  'infra/deploy/checks/smoke.test.ts',
  'infra/dev/test/data-orders.test.ts',
  'infra/dev/test/reset.test.ts',
];

/** A project of tests that need no DOM, or request one with a comment. */
const ofNode = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude: [...NOT_OURS, ...exclude], globalSetup: ['infra/test/vitest.global.ts'] },
});

/**
 * The one vitest configuration, so that `npx vitest FILE`, watch mode, `-t` and editors test the sources in any folder.
 * A file belongs to one project: `services`, `infra`, `isolated`, `web`, `screens` (components in a DOM) or `journeys` (Chromium against one
 * running system); they are suites of `npm test` (infra/test/suites.ts). A web test that is no screen requests a DOM with
 * `// @vitest-environment jsdom` on its first line.
 */
export default defineConfig({
  resolve: { conditions: ['source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'default'], externalConditions: ['source', 'node'] } },
  cacheDir: 'node_modules/.cache/vitest',
  test: {
    environment: 'node',
    exclude: NOT_OURS,
    // No style sheet is read: what of them is visible, stories and journeys hold in a real browser; here they doubled the time of a screen.
    css: { include: [] },
    // The files of a worker share their imports, which are most of what a file costs; what one changes of the process it puts back.
    isolate: false,
    // Short-lived objects are collected less often: a tenth of the processor's time (64 MiB each of two workers).
    execArgv: ['--max-semi-space-size=64'],
    // For what hangs: a busy machine is no failure, and some of them do a third of the work of others in the same time. No file sets its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: Number(process.env.PATIENCE_MS ?? 120_000) } },
    passWithNoTests: false,
    projects: [
      ofNode('services', ['services/**/*.test.ts']),
      ofNode('infra', ['infra/**/*.test.ts'], ['infra/e2e/**', 'infra/admin/**', ...REPLACING]),
      { extends: true, test: { ...ofNode('isolated', REPLACING).test, isolate: true } },
      {
        extends: true,
        test: {
          ...ofNode('web', ['{shell,storybook,mfe-*,infra/admin}/**/*.test.ts', ALONE]).test,
          // Each file begins within reach of the server, each test with the machine's own time and functions.
          setupFiles: ['infra/test/vitest.web.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          include: ['**/*.test.tsx'],
          exclude: [...NOT_OURS, ALONE],
          environment: 'jsdom',
          globalSetup: ['infra/test/vitest.global.ts'],
          // Each test begins with an empty browser.
          setupFiles: ['shell/sdk/testing/screens.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['infra/e2e/{journeys,api}/*.test.ts'],
          // All share one running system and one browser, so they run one file after the other.
          globalSetup: ['infra/test/vitest.global.ts', 'infra/e2e/system.ts', 'infra/e2e/shared-browser.ts'],
          setupFiles: ['infra/e2e/failed.ts'],
          fileParallelism: false,
          expect: { poll: { timeout: 120_000, interval: 100 } },
        },
      },
    ],
  },
});
