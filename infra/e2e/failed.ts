import { afterEach } from 'vitest';
import { printPages } from './browser.js';

// A run elsewhere leaves nothing else to look at when a journey has failed.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await printPages();
});
