import { defineConfig, mergeConfig } from 'vitest/config';
import common from './vitest.config.ts';

/**
 * Tests of components: the files of a worker share their imports, which are most of what such a file costs. Each begins
 * with an empty browser (vitest.screens.setup.ts).
 */
export default mergeConfig(
  common,
  defineConfig({ test: { pool: 'threads', isolate: false, setupFiles: ['infra/build/vitest.screens.setup.ts'] } }),
);
