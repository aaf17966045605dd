import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * The one vitest configuration. Suites are chosen by path on the command line (infra/test names them);
 * a web test asks for a DOM with `// @vitest-environment jsdom` on its first line.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { conditions: ['source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'default'], externalConditions: ['source', 'node'] } },
  cacheDir: 'node_modules/.cache/vitest',
  css: { modules: { generateScopedName: '[local]' } },
  test: {
    environment: 'node',
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    css: { include: [/\.module\.css$/], modules: { classNameStrategy: 'non-scoped' } },
    globalSetup: ['infra/build/vitest.global.ts'],
    // The files of a worker share their imports, which are most of what a file costs; what one changes of the process it puts back.
    isolate: false,
    // A busy machine is no failure. Longer times are set by a test file itself: what it shares with others runs once for all of them.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    passWithNoTests: false,
  },
});
