import { SOL_PRICE_FALLBACK_USD, SOL_PRICE_REFRESH_MS } from '@cord/contracts/rules/timings';
import type { Clock } from '@cord/kit/clock';
import { boundedText } from '@cord/kit/http/bounded-body';
import type { Log } from '@cord/kit/log';
import { z } from 'zod';

/** USD for one SOL; `estimate` marks the fallback price. */
interface SolQuote {
  usd: number;
  atMs: number;
  estimate: boolean;
}

export type SolPrice = ReturnType<typeof createSolPrice>;

const FETCH_MS_MAX = 4_000;
/** Maximum size of a response; a quote has about 30 bytes. */
const ANSWER_BYTES_MAX = 64 * 1024;
const answer = z.object({ solana: z.object({ usd: z.number().positive().max(1_000_000) }) });

/** @param url of a simple-price API; without one every quote is the fallback, marked as an estimate */
export function createSolPrice(url: string | undefined, clock: Clock, log: Log) {
  let last: SolQuote | null = null;
  let requestedAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  const read = async (address: string): Promise<void> => {
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_MS_MAX), redirect: 'error' });
      if (!response.ok) throw new Error(`the price service responded with ${response.status}`);
      last = {
        usd: answer.parse(JSON.parse(await boundedText(response, ANSWER_BYTES_MAX))).solana.usd,
        atMs: clock.now(),
        estimate: false,
      };
    } catch (err) {
      log.warn({ err }, 'the SOL price could not be read; keeping the last one');
    }
  };
  return {
    /** Returns the last quote; waits for the network only before the first one. */
    async quote() {
      const due = clock.now() - requestedAtMs >= SOL_PRICE_REFRESH_MS;
      if (url && due && !reading) {
        requestedAtMs = clock.now();
        reading = read(url).finally(() => {
          reading = null;
        });
      }
      if (!last && reading) await reading;
      return last ?? { usd: SOL_PRICE_FALLBACK_USD, atMs: clock.now(), estimate: true };
    },
  };
}
