import { beforeEach, expect, it, vi } from 'vitest';
import { whenQuiet } from './quiet';

/** Reports a long task of the browser; null while nothing observes them. */
let longTask: (() => void) | null = null;

beforeEach(() => {
  vi.useFakeTimers();
  longTask = null;
  class Observer {
    static supportedEntryTypes = ['longtask'];
    constructor(readonly report: () => void) {}
    observe() {
      longTask = this.report;
    }
    disconnect() {
      longTask = null;
    }
  }
  vi.stubGlobal('PerformanceObserver', Observer);
});

it('runs three seconds after the last long task, after ten seconds at the latest', () => {
  const run = vi.fn();
  whenQuiet(run);
  vi.advanceTimersByTime(2_999);
  longTask?.();
  vi.advanceTimersByTime(2_999);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
  expect(longTask).toBeNull();

  const busy = vi.fn();
  whenQuiet(busy);
  for (let second = 1; second < 10; second += 1) {
    vi.advanceTimersByTime(1_000);
    longTask?.();
  }
  expect(busy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(busy).toHaveBeenCalledOnce();
});

it('runs nothing and observes nothing after it was cancelled', () => {
  const run = vi.fn();
  whenQuiet(run)();
  expect(longTask).toBeNull();
  vi.advanceTimersByTime(60_000);
  expect(run).not.toHaveBeenCalled();
});
