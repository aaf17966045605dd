import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../build/vitest.config.js';

/** Journeys in a real browser against one running system; they share it, so they run one file after the other. */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      include: ['infra/e2e/journeys/*.test.ts', 'infra/e2e/api/*.test.ts'],
      globalSetup: [fileURLToPath(new URL('./system.ts', import.meta.url))],
      fileParallelism: false,
      // Journeys are few and long: what their files import is little beside what they do.
      isolate: true,
      testTimeout: 120_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 20_000, interval: 100 } },
    },
  }),
);
