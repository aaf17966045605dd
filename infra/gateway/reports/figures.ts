import type { Line } from '@cord/deploy/store/release-line';
import type { Metrics } from '@cord/kit/metrics';
import { causeOf, type PageReport } from './reports.js';

/** Labels of a metric for a release of a module or of the shell. */
export interface ReleaseLabels {
  module: string;
  version: string;
}

/** Label of all unpublished releases. */
export const OTHER = 'other';

/** Returns the labels of a release: unless its newest line names it, the version is `other`; a module without a line is `other`, too. */
export type LabelsOf = (module: string, version: string) => ReleaseLabels;

/** @param linesNow returns the newest line of each module and of the shell */
export function releaseLabels(linesNow: () => Readonly<Record<string, Line>>): LabelsOf {
  return (module, version) => {
    const lines = linesNow();
    const line = Object.hasOwn(lines, module) ? lines[module] : undefined;
    if (!line) return { module: OTHER, version: OTHER };
    const isNamed = [line.version, line.from, line.canary?.version].includes(version);
    return { module, version: isNamed ? version : OTHER };
  };
}

/**
 * Counts reported errors and visits by release. Reports may name any release: labels exist for published releases only, and are removed with them.
 * @returns a function that counts a report
 */
export function countReports(metrics: Pick<Metrics, 'counter'>, labelsOf: LabelsOf): (report: PageReport) => void {
  const faults = metrics.counter('cord_client_errors_total');
  const visits = metrics.counter('cord_client_visits_total');
  const shown = new Map<string, ReleaseLabels>();

  function labels(module: string, version: string): ReleaseLabels {
    const found = labelsOf(module, version);
    shown.set(`${found.module} ${found.version}`, found);
    return found;
  }

  function forgetUnpublished(): void {
    for (const [key, before] of shown) {
      if (labelsOf(before.module, before.version).version === before.version) continue;
      shown.delete(key);
      for (const counter of [faults, visits]) counter.remove(before);
    }
  }

  return (report) => {
    forgetUnpublished();
    for (const { module, version, n } of report.visits) visits.inc(labels(module, version), n);
    for (const { module, version = OTHER } of report.errors.map(causeOf)) faults.inc(labels(module, version));
  };
}
