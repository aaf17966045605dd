import { defineConfig } from 'vitest/config';

const NOT_OURS = ['**/node_modules/**', '**/dist/**'];
/** It shows code that has not been loaded yet, so it does not share its modules with other screens. */
const ALONE = '**/later-primitives.test.tsx';

/**
 * The one vitest configuration, so that `npx vitest FILE`, watch mode, `-t` and editors test the sources in any folder.
 * A file belongs to one project: `node`, `screens` (components in a DOM) or `journeys` (Chromium against one running system).
 * `npm test` chooses project and files (infra/test/suites.mjs). A web test that is no screen asks for a DOM with
 * `// @vitest-environment jsdom` on its first line.
 */
export default defineConfig({
  resolve: { conditions: ['source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'default'], externalConditions: ['source', 'node'] } },
  cacheDir: 'node_modules/.cache/vitest',
  css: { modules: { generateScopedName: '[local]' } },
  test: {
    environment: 'node',
    exclude: NOT_OURS,
    css: { include: [/\.module\.css$/], modules: { classNameStrategy: 'non-scoped' } },
    // The files of a worker share their imports, which are most of what a file costs; what one changes of the process it puts back.
    isolate: false,
    // A busy machine is no failure. Longer times are set by a test file itself: what it shares with others runs once for all of them.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['**/*.test.ts', ALONE],
          exclude: [...NOT_OURS, 'infra/e2e/**'],
          globalSetup: ['infra/test/vitest.global.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          include: ['**/*.test.tsx'],
          exclude: [...NOT_OURS, ALONE],
          pool: 'threads',
          globalSetup: ['infra/test/vitest.global.ts'],
          // Each file begins with an empty browser.
          setupFiles: ['infra/test/vitest.screens.ts'],
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
          // Journeys are few and long: what their files import is little beside what they do.
          isolate: true,
          testTimeout: 300_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000, interval: 100 } },
        },
      },
    ],
  },
});
