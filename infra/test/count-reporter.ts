import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends a vitest run with `N passed, N failed`. A file that failed to load, an error outside any test, and a run without
 * tests each count as a failure, so that no problem looks like success.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    console.log(closingLine(modules, errors.length));
  }
}

/** @param errors number of errors outside any test */
export function closingLine(modules: readonly TestModule[], errors: number): string {
  const counts = { passed: 0, failed: errors, skipped: 0, pending: 0 };
  for (const module of modules) {
    const before = counts.failed;
    for (const test of module.children.allTests()) counts[test.result().state] += 1;
    if (module.state() === 'failed' && counts.failed === before) counts.failed += 1;
  }
  if (counts.passed + counts.failed === 0) counts.failed = 1;
  return `${counts.passed} passed, ${counts.failed + counts.pending} failed`;
}
