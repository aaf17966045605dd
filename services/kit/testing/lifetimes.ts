import { afterAll, beforeAll, onTestFinished } from 'vitest';

interface Stoppable {
  stop(): Promise<unknown>;
}

/**
 * Starts something before the first test of the file, or of the enclosing `describe`, and stops it after the last one.
 *
 * @returns the started object, readable in hooks and tests only: nothing runs while the file loads
 */
export function forAllTests<T extends Stoppable>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  const running = (): T => {
    if (!started) throw new Error('Nothing is running yet: read it in a hook or in a test');
    return started;
  };
  return new Proxy({} as T, {
    get: (_, field) => Reflect.get(running(), field),
    set: (_, field, value) => Reflect.set(running(), field, value),
  });
}

/**
 * Stops something at the end of the current test, even when that fails: otherwise it would serve the next test's
 * requests, and one failure would look like many.
 */
export function stopAfterTest<T extends Stoppable>(started: T): T {
  onTestFinished(async () => void (await started.stop()));
  return started;
}
