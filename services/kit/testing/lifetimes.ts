import { afterAll, beforeAll, onTestFinished } from 'vitest';

interface Stoppable {
  stop(): Promise<unknown>;
}

/**
 * Starts something before the first test of the file, or of the `describe` that it is called in, and stops it after the last one.
 *
 * @returns what was started. Hooks and tests can read its fields; the file itself cannot, because nothing runs while it is loaded
 */
export function forAllTests<T extends Stoppable>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  const running = (): T => {
    if (!started) throw new Error('Nothing runs yet: read it in a hook or in a test');
    return started;
  };
  return new Proxy({} as T, {
    get: (_, field) => Reflect.get(running(), field),
    set: (_, field, value) => Reflect.set(running(), field, value),
  });
}

/**
 * Stops with the test that it was started in, also when that fails: what went on answering would answer the next test's
 * requests, and one failure would look like many.
 */
export function untilTestEnds<T extends Stoppable>(started: T): T {
  onTestFinished(async () => void (await started.stop()));
  return started;
}
