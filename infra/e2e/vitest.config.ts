import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../build/vitest.config.js';

const beside = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Journeys in a real browser against one running system; they share it, so they run one file after the other. */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      include: ['infra/e2e/journeys/*.test.ts', 'infra/e2e/api/*.test.ts'],
      globalSetup: ['./system.ts', './shared-browser.ts'].map(beside),
      setupFiles: [beside('./failed.ts')],
      fileParallelism: false,
      // Journeys are few and long: what their files import is little beside what they do.
      isolate: true,
      testTimeout: 300_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000, interval: 100 } },
    },
  }),
);
