import { randomBytes } from 'node:crypto';
import type { ServiceName } from '@cord/contracts/endpoint';
import { auditRpc } from '@cord/contracts/rpc/audit';
import type { Connection } from 'mongoose';
import type { Clock } from './clock.js';
import type { Consuming } from './nats/consume.js';
import type { Nats } from './nats.js';
import { plainJson } from './plain-json.js';

/** One act of an admin; never changed (design.md, Sign-in and rights). */
export interface AuditEntry {
  id: string;
  atMs: number;
  adminId: string;
  /** `epoch.create`, `user.cleared` */
  action: string;
  /** What was acted on: a user id, a task id, an address key. */
  target: string;
  detail: Record<string, unknown>;
}

/** What an entry's place in the log is made of. */
export type AuditPlace = Pick<AuditEntry, 'atMs' | 'id'>;

export interface AuditLog {
  /** Written before the act is done, so that a crash between the two hides nothing. */
  write(act: Omit<AuditEntry, 'id' | 'atMs'>): Promise<void>;
  /** Newest first; those behind a place. */
  newest(page: { after: AuditPlace | null; limit: number }): Promise<AuditEntry[]>;
}

type Stored = Omit<AuditEntry, 'id'> & { _id: string };

/** The audit log of a service, in its own database. */
export function openAuditLog(connection: Connection, clock: Pick<Clock, 'now'>): AuditLog {
  const audit = connection.collection<Stored>('audit');
  return {
    async write({ adminId, action, target, detail }) {
      const _id = randomBytes(16).toString('hex');
      await audit.insertOne({ _id, atMs: clock.now(), adminId, action, target, detail: plainJson(detail) });
    },
    async newest({ after, limit }) {
      const stored = await audit
        .find(after ? { $or: [{ atMs: { $lt: after.atMs } }, { atMs: after.atMs, _id: { $lt: after.id } }] } : {})
        .sort({ atMs: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return stored.map(({ _id, ...entry }) => ({ ...entry, id: _id }));
    },
  };
}

/** The order of the log, of one service or of all together. */
export function auditOrder(a: AuditPlace, b: AuditPlace): number {
  return b.atMs - a.atMs || Number(a.id < b.id) - Number(a.id > b.id);
}

/** Answers auth, which shows the acts of all services in one list (GET /admin/audit). */
export function serveAuditLog(nats: Pick<Nats, 'serve'>, service: ServiceName, log: AuditLog): Consuming {
  return nats.serve(auditRpc(service), async (page) => ({ entries: await log.newest(page) }));
}
