import { microToNumber } from '@cord/contracts/rules/money';
import type { Metrics } from '@cord/kit/metrics';

/** Compares the earnings that clients report with what the server credited. It never credits anything. */
export type DriftMeter = ReturnType<typeof createDriftMeter>;

export function createDriftMeter(metrics: Metrics) {
  const over = metrics.histogram('cord_client_claimed_over_cord');
  const under = metrics.histogram('cord_client_claimed_under_cord');
  return {
    /** @param claimed CORD as the client sent it; undefined when it sent none */
    compare(call: 'save' | 'update' | 'end', claimed: number | undefined, creditedMicro: bigint) {
      if (claimed === undefined) return;
      const drift = claimed - microToNumber(creditedMicro);
      if (drift > 0) over.observe({ call }, drift);
      else under.observe({ call }, -drift);
    },
  };
}
