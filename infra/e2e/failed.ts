import { afterAll, afterEach } from 'vitest';
import { leaveBrowser, pagesNow } from './browser.js';

// The end of a log elsewhere is all that is left to look at when a journey has failed: its error shows what stands on the pages.
afterEach(async ({ task }) => {
  const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined;
  if (error) error.message += `\n${await pagesNow()}`;
});

afterAll(leaveBrowser);
