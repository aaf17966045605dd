import { onTestFinished } from 'vitest';

/**
 * Stops with the test that it was started in, also when that fails: what went on answering would answer the next test's
 * requests, and one failure would look like many.
 */
export function untilTestEnds<T extends { stop(): Promise<void> }>(started: T): T {
  onTestFinished(() => started.stop());
  return started;
}
