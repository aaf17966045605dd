import { PROMISING_SERVICES, type PromisingService, parkedRpc, retryParkedRpc } from '@cord/contracts/rpc/parked';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Nats } from '@cord/kit/nats';
import { type ParkedPlace, parkedOrder } from '@cord/kit/outbox/documents';
import type { z } from 'zod';
import { requestAll } from './request-all.js';

/** Timeout of a peer, ms. A peer that does not respond is listed as missing. */
const PEER_TIMEOUT_MS = 1_000;

type Parked = z.output<ReturnType<typeof parkedRpc>['reply']>['credits'][number];
type Listed = Parked & { service: PromisingService };

/** The credits of all services that the ledger has refused permanently. */
export type ParkedCredits = ReturnType<typeof createParkedCredits>;

export function createParkedCredits(audit: Pick<AuditLog, 'write'>, nats: Pick<Nats, 'request'>) {
  return {
    /** Returns parked credits, oldest first, after a cursor, and the services that did not respond. */
    async oldest(page: {
      after: ParkedPlace | null;
      limit: number;
    }): Promise<{ credits: Listed[]; missing: string[] }> {
      const { answers, missing } = await requestAll(PROMISING_SERVICES, (service) =>
        nats.request(parkedRpc(service), page, { timeoutMs: PEER_TIMEOUT_MS }),
      );
      const credits = answers.flatMap(({ service, answer }) =>
        answer.credits.map((credit) => ({ ...credit, service })),
      );
      return { credits: credits.sort(parkedOrder).slice(0, page.limit), missing };
    },
    /**
     * Retries a credit; the action is logged before it runs.
     * @returns null when none is parked under the key
     * @throws Problem 503 when the service does not respond
     */
    async retry(adminId: string, service: PromisingService, key: string) {
      await audit.write({ adminId, action: 'credit.retried', target: key, detail: { service } });
      const { outcome } = await nats.request(retryParkedRpc(service), { key });
      return outcome;
    },
  };
}
