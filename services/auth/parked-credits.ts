import { PROMISING_SERVICES, type PromisingService, parkedRpc, retryParkedRpc } from '@cord/contracts/rpc/parked';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Nats } from '@cord/kit/nats';
import type { z } from 'zod';

/** A service that has not answered by then is named as missing. */
const PEER_TIMEOUT_MS = 1_000;

type Parked = z.output<ReturnType<typeof parkedRpc>['reply']>['credits'][number];
type Retried = z.output<ReturnType<typeof retryParkedRpc>['reply']>['outcome'];

/** The credits that the ledger has refused for good, of all services. */
export interface ParkedCredits {
  /** Longest parked first, and the services that did not answer. */
  oldest(limit: number): Promise<{ credits: (Parked & { service: PromisingService })[]; missing: string[] }>;
  /**
   * Tries one again; the act stands in the audit log before it is done.
   * @returns null when none is parked under the key
   * @throws Problem 503 when the service does not answer
   */
  retry(adminId: string, service: PromisingService, key: string): Promise<Retried>;
}

export function createParkedCredits(audit: AuditLog, nats: Pick<Nats, 'request'>): ParkedCredits {
  return {
    async oldest(limit) {
      const asked = PROMISING_SERVICES.map((service) =>
        nats.request(parkedRpc(service), { limit }, { timeoutMs: PEER_TIMEOUT_MS }).then(
          ({ credits }) => credits.map((credit) => ({ ...credit, service })),
          () => null,
        ),
      );
      const answers = await Promise.all(asked);
      const credits = answers.flatMap((answer) => answer ?? []).sort((a, b) => a.parkedAt - b.parkedAt);
      return {
        credits: credits.slice(0, limit),
        missing: PROMISING_SERVICES.filter((_, index) => answers[index] === null),
      };
    },
    async retry(adminId, service, key) {
      await audit.write({ adminId, action: 'credit.retried', target: key, detail: { service } });
      const { outcome } = await nats.request(retryParkedRpc(service), { key });
      return outcome;
    },
  };
}
