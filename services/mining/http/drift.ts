import { microToNumber } from '@cord/contracts/rules/money';
import type { Metrics } from '@cord/kit/metrics';

/** Compares what clients report as earned with what the server credited; nothing is ever credited by it. */
export interface DriftMeter {
  /** @param claimed CORD as the client sent it; undefined when it sent nothing */
  compare(call: 'save' | 'update' | 'end', claimed: number | undefined, creditedMicro: bigint): void;
}

export function createDriftMeter(metrics: Metrics): DriftMeter {
  const over = metrics.histogram('cord_client_claimed_over_cord');
  const under = metrics.histogram('cord_client_claimed_under_cord');
  return {
    compare(call, claimed, creditedMicro) {
      if (claimed === undefined) return;
      const drift = claimed - microToNumber(creditedMicro);
      if (drift > 0) over.observe({ call }, drift);
      else under.observe({ call }, -drift);
    },
  };
}
