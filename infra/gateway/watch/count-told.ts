import type { Metrics } from '@cord/kit/metrics';
import { blamed, type ToldByPage } from './hear-visits.js';

/** What a figure says of a release of a module or of the shell. */
export interface ReleaseLabels {
  module: string;
  version: string;
}

/** What nobody has published, all together. */
export const OTHER = 'other';

/**
 * Counts what pages tell of faults and visits by release. Anybody may name releases that are none: labels grow with what is published, and go with it.
 * @param labelsOf as the figures name a release, `other` where it is not published
 * @returns takes a message
 */
export function countTold(
  metrics: Pick<Metrics, 'counter'>,
  labelsOf: (module: string, version: string) => ReleaseLabels,
): (message: ToldByPage) => void {
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

  return (message) => {
    forgetUnpublished();
    for (const { module, version, n } of message.visits) visits.inc(labels(module, version), n);
    for (const { module, version = OTHER } of message.errors.map(blamed)) faults.inc(labels(module, version));
  };
}
