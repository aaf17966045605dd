import { microToNumber } from '@cord/contracts/rules/money';
import type { Metrics } from '@cord/kit/metrics';

/** Compares what clients say they earned with what the server credited; nothing is ever credited by it (decisions). */
export interface DriftMeter {
  /** @param claimed CORD as the client sent it; undefined when it sent nothing */
  compare(call: 'save' | 'update' | 'end', claimed: number | undefined, creditedMicro: bigint): void;
}

const BUCKETS_CORD = [0.000001, 0.0001, 0.01, 0.1, 1, 10, 100, 10_000];

export function createDriftMeter(metrics: Metrics): DriftMeter {
  const over = metrics.histogram(
    'mining_client_over_cord',
    'CORD that clients claimed above what was credited',
    ['call'],
    BUCKETS_CORD,
  );
  const under = metrics.histogram(
    'mining_client_under_cord',
    'CORD credited above what clients claimed',
    ['call'],
    BUCKETS_CORD,
  );
  return {
    compare(call, claimed, creditedMicro) {
      if (claimed === undefined) return;
      const drift = claimed - microToNumber(creditedMicro);
      if (drift > 0) over.observe({ call }, drift);
      else under.observe({ call }, -drift);
    },
  };
}
