import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM_LAUNCH } from '../test/chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket endpoint of the one Chromium of all files. */
    browser: string;
  }
}

/** Starts one Chromium for all files; each user gets an own context. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ ...CHROMIUM_LAUNCH, host: '127.0.0.1' });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
