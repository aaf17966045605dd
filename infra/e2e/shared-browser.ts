import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM_LAUNCH } from '../test/chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the files' one Chromium is to be reached. */
    browser: string;
  }
}

/** One Chromium for all files: people have contexts of their own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ ...CHROMIUM_LAUNCH, host: '127.0.0.1' });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
