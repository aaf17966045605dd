import { type PromisingService, parkedRpc, retryParkedRpc } from '@cord/contracts/rpc/parked';
import type { Consuming } from '../nats/consume.js';
import type { Nats } from '../nats.js';
import type { PromisedCredits } from '../promised-credits.js';
import { parkedOrder } from './promising-documents.js';

/** Answers auth, which shows the parked credits of all services in one list (GET /admin/parked-credits). */
export function serveParkedCredits(
  nats: Pick<Nats, 'serve'>,
  service: PromisingService,
  keepers: readonly Pick<PromisedCredits, 'parked' | 'retryParked'>[],
): Consuming {
  const serving = [
    nats.serve(parkedRpc(service), async (page) => {
      const found = await Promise.all(keepers.map((keeper) => keeper.parked(page)));
      const credits = found.flat().sort(parkedOrder);
      return {
        credits: credits.slice(0, page.limit).map(({ parkedAtMs, amountMicro, ...credit }) => ({
          ...credit,
          amountMicro: amountMicro.toString(),
          parkedAt: parkedAtMs,
        })),
      };
    }),
    nats.serve(retryParkedRpc(service), async ({ key }) => {
      for (const keeper of keepers) {
        const outcome = await keeper.retryParked(key);
        if (outcome) return { outcome };
      }
      return { outcome: null };
    }),
  ];
  return { stop: async () => void (await Promise.all(serving.map((one) => one.stop()))) };
}
