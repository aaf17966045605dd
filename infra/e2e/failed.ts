import { afterAll, afterEach } from 'vitest';
import { leaveBrowser, pagesNow } from './browser.js';

// Adds the content of the open pages to the error of a failed journey: remotely, only the end of a log is available.
afterEach(async ({ task }) => {
  const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined;
  if (error) error.message += `\n${await pagesNow()}`;
});

afterAll(leaveBrowser);
