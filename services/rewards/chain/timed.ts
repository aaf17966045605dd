import type { Metrics } from '@cord/kit/metrics';

/** Runs a call to the wallet network and records its duration. */
export type Timed = <T>(request: () => Promise<T>) => Promise<T>;

/** Runs the call without measuring it. */
export const untimed: Timed = (request) => request();

/** @param who the caller: `payments` for lookups by rewards, `pages` for calls through the proxy */
export function timed(metrics: Pick<Metrics, 'histogram'>, who: 'payments' | 'pages'): Timed {
  const seconds = metrics.histogram('cord_wallet_network_duration_seconds');
  return async (request) => {
    const startMs = performance.now();
    let outcome = 'away';
    try {
      const answer = await request();
      outcome = 'answered';
      return answer;
    } finally {
      seconds.observe({ who, outcome }, (performance.now() - startMs) / 1000);
    }
  };
}
