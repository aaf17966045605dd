import { type PromisingService, parkedRpc, retryParkedRpc } from '@cord/contracts/rpc/parked';
import type { Consuming } from '../nats/consume.js';
import type { Nats } from '../nats.js';
import type { Outbox } from '../outbox.js';
import { parkedOrder } from './documents.js';

/** Serves the parked credits to auth, which merges those of all services (GET /admin/parked-credits). */
export function serveParkedCredits(
  nats: Pick<Nats, 'serve'>,
  service: PromisingService,
  outboxes: readonly Pick<Outbox, 'parked' | 'retryParked'>[],
): Consuming {
  const serving = [
    nats.serve(parkedRpc(service), async (page) => {
      const found = await Promise.all(outboxes.map((outbox) => outbox.parked(page)));
      const credits = found.flat().sort(parkedOrder);
      return {
        credits: credits.slice(0, page.limit).map(({ kind: _kind, parkedAtMs, amountMicro, ...credit }) => ({
          ...credit,
          amountMicro: amountMicro.toString(),
          parkedAt: parkedAtMs,
        })),
      };
    }),
    nats.serve(retryParkedRpc(service), async ({ key }) => {
      for (const outbox of outboxes) {
        const outcome = await outbox.retryParked(key);
        if (outcome) return { outcome };
      }
      return { outcome: null };
    }),
  ];
  return { stop: async () => void (await Promise.all(serving.map((one) => one.stop()))) };
}
