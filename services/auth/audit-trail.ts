import { AUDITED_SERVICES, auditRpc } from '@cord/contracts/rpc/audit';
import type { AuditEntry, AuditLog } from '@cord/kit/audit-log';
import type { Nats } from '@cord/kit/nats';

/** A service that has not answered by then is named as missing. */
const PEER_TIMEOUT_MS = 1_000;

/** What admins did in all services, newest first, and the services that did not answer. */
export interface AuditTrail {
  newest(limit: number): Promise<{ entries: AuditEntry[]; missing: string[] }>;
}

/** One list of the own log and those of the services that keep one. */
export function createAuditTrail(own: AuditLog, nats: Pick<Nats, 'request'>): AuditTrail {
  return {
    async newest(limit) {
      const asked = AUDITED_SERVICES.map((service) =>
        nats.request(auditRpc(service), { limit }, { timeoutMs: PEER_TIMEOUT_MS }).then(
          ({ entries }) => entries,
          () => null,
        ),
      );
      const [mine, ...others] = await Promise.all([own.newest(limit), ...asked]);
      const all = [...mine, ...others.flatMap((entries) => entries ?? [])];
      return {
        entries: all.sort((a, b) => b.atMs - a.atMs).slice(0, limit),
        missing: AUDITED_SERVICES.filter((_, index) => others[index] === null),
      };
    },
  };
}
