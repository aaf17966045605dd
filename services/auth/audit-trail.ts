import { NOBODY } from '@cord/contracts/events/envelope';
import { AUDITED_SERVICES, auditNoteRpc, auditRpc } from '@cord/contracts/rpc/audit';
import { type AuditEntry, type AuditLog, type AuditPage, auditOrder } from '@cord/kit/audit-log';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import { requestAll } from './request-all.js';

/** Timeout of a peer, ms. A peer that does not respond is listed as missing. */
const PEER_TIMEOUT_MS = 1_000;

/** Actions of admins in all services, newest first, after a cursor, with the services that did not respond. */
export type AuditTrail = ReturnType<typeof createAuditTrail>;

/** Merges the own log with those of the services that keep one. */
export function createAuditTrail(own: Pick<AuditLog, 'newest'>, nats: Pick<Nats, 'request'>) {
  return {
    async newest(page: AuditPage): Promise<{ entries: AuditEntry[]; missing: string[] }> {
      const { after, limit, filter = {} } = page;
      const send = (service: (typeof AUDITED_SERVICES)[number]) =>
        nats.request(auditRpc(service), { after, limit, filter }, { timeoutMs: PEER_TIMEOUT_MS });
      const [mine, { answers, missing }] = await Promise.all([own.newest(page), requestAll(AUDITED_SERVICES, send)]);
      const all = [...mine, ...answers.flatMap(({ answer }) => answer.entries)].sort(auditOrder);
      return { entries: all.slice(0, limit), missing };
    },
  };
}

/** Logs actions of operators at a command line without access to the store. */
export function serveAuditNotes(nats: Pick<Nats, 'serve'>, own: Pick<AuditLog, 'write'>): Consuming {
  return nats.serve(auditNoteRpc, async (act) => {
    await own.write({ adminId: NOBODY, ...act });
    return {};
  });
}
