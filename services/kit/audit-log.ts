import type { ServiceName } from '@cord/contracts/endpoint';
import { type AuditFilter, auditRpc } from '@cord/contracts/rpc/audit';
import { DAY_MS } from '@cord/contracts/rules/days';
import type { Connection, mongo } from 'mongoose';
import { currentCause } from './cause.js';
import type { Clock } from './clock.js';
import { collection, type IndexPlan } from './collection.js';
import { onceId } from './idempotency.js';
import type { Consuming } from './nats/consume.js';
import type { Nats } from './nats.js';
import type { PeriodicWork } from './periodic.js';
import { plainJson } from './plain-json.js';
import { insertOnce } from './store-errors.js';

/** One act of an admin, kept for two years; only an erasure changes it (services/README.md#sign-in-and-rights). */
export interface AuditEntry {
  id: string;
  atMs: number;
  adminId: string;
  /** `epoch.create`, `user.cleared` */
  action: string;
  /** Target of the act: a user id, a task id, an address key. */
  target: string;
  detail: Record<string, unknown>;
  /** The user the act is about, when the target is another: that user's erasure removes the operator's text. */
  about?: string | undefined;
  /** Request id of the call, as in the logs; absent without a call. */
  requestId?: string | undefined;
}

/** The fields that give an entry's position in the log. */
export type AuditPlace = Pick<AuditEntry, 'atMs' | 'id'>;

export type AuditLog = ReturnType<typeof openAuditLog>;

/** A page of the log. */
export interface AuditPage {
  after: AuditPlace | null;
  limit: number;
  filter?: AuditFilter;
}

/** The operator who viewed, the target, and the part of it that was viewed. */
type AuditView = Pick<AuditEntry, 'adminId' | 'action' | 'target'> & { at?: string };

/** Views of the same target by the same operator within this time are one entry. */
const REPEATED_VIEW_MS = 600_000;

/** The part of an account that an operator views. */
type ViewedPart = 'ledger' | 'mining' | 'orders' | 'claims';

/** The call with which an operator views. */
interface ViewCall {
  user: { id: string };
  params: { id: string };
}

/** Logs that an operator viewed an account. */
export function logAccountView(
  audit: Pick<AuditLog, 'logView'>,
  { user, params }: ViewCall,
  at: ViewedPart,
): Promise<void> {
  return audit.logView({ adminId: user.id, action: 'user.looked-up', target: params.id, at });
}

type Stored = Omit<AuditEntry, 'id'> & {
  _id: string;
  /** Set on an entry with `detail.undoes` until its act is done. */
  undoing?: true;
};

/** Fields with operators' texts about a user, and with the user's payment and refund transactions. */
const WRITTEN = ['reason', 'note', 'transactionHash', 'returnTransaction'];

/** The audit log of a service. */
export const AUDIT_LOG = collection<Stored>({
  name: 'audit',
  indexes: [
    ...[{}, { target: 1 }, { adminId: 1 }, { action: 1 }, { adminId: 1, action: 1 }].map((by) => ({
      key: { ...by, atMs: -1, _id: -1 } as IndexPlan['key'],
    })),
    { key: { 'detail.undoes': 1 }, sparse: true },
    { key: { about: 1 }, sparse: true },
  ],
  /** Deletes operators' texts about the user; the acts stay, with random ids only. */
  async erase(audit, userId) {
    const written = Object.fromEntries(WRITTEN.map((field) => [`detail.${field}`, '' as const]));
    for (const whose of [{ target: userId }, { about: userId }]) {
      await audit.updateMany(whose, { $unset: written } as mongo.UpdateFilter<Stored>);
    }
  },
});

/** Retention of an entry, ms. */
const KEPT_MS = 730 * DAY_MS;

/** Deletes entries older than two years. */
export function auditRetention(connection: Connection, clock: Pick<Clock, 'now'>): PeriodicWork {
  const audit = AUDIT_LOG.in(connection);
  return {
    name: 'audit.retention',
    everyMs: 3_600_000,
    leaseMs: 3 * 3_600_000,
    async run(turn) {
      const old = { atMs: { $lt: clock.now() - KEPT_MS } };
      if ((await audit.findOne(old)) && (await turn.lease())) await audit.deleteMany(old);
    },
  };
}

/** Opens the audit log in a service's own database. */
export function openAuditLog(connection: Connection, clock: Pick<Clock, 'now'>) {
  const audit = AUDIT_LOG.in(connection);
  const log = {
    /**
     * Writes an entry before its act, so that a crash in between hides nothing. A rerun of the same call writes it once (`onceId`), even
     * when its details differ by then, such as a time or a value that the first run changed.
     */
    async write({ adminId, action, target, detail, about }: Omit<AuditEntry, 'id' | 'atMs' | 'requestId'>) {
      const requestId = currentCause()?.requestId;
      const act = { adminId, action, target, detail: plainJson(detail), ...(about ? { about } : {}) };
      const _id = onceId(JSON.stringify([adminId, action, target]));
      const undoing = 'undoes' in detail ? { undoing: true as const } : {};
      const entry = { _id, atMs: clock.now(), ...act, ...undoing, ...(requestId ? { requestId } : {}) };
      await insertOnce(() => audit.insertOne(entry));
    },
    /** Logs that an operator viewed something: one entry per ten minutes, however many pages it has and however often an open page polls. */
    async logView({ at, ...view }: AuditView) {
      const detail = at === undefined ? {} : { at };
      const same = { ...view, ...(at === undefined ? {} : { 'detail.at': at }) } as mongo.Filter<Stored>;
      const lately = { ...same, atMs: { $gt: clock.now() - REPEATED_VIEW_MS } };
      if (await audit.findOne(lately, { hint: { target: 1, ...NEWEST_FIRST } })) return;
      await log.write({ ...view, detail });
    },
    /** Returns entries newest first, filtered and from a cursor on. Every filter uses an index. */
    async newest(page: AuditPage) {
      const found = await Promise.all(
        auditQueries(page).map(({ filter, hint }) =>
          audit.find(filter).hint(hint).sort(NEWEST_FIRST).limit(page.limit).toArray(),
        ),
      );
      return found.flat().map(fromStored).sort(auditOrder).slice(0, page.limit);
    },
    async byId(id: string) {
      const stored = await audit.findOne({ _id: id });
      return stored && fromStored(stored);
    },
    /** Returns which of these entries are undone: those with a later entry confirmed by `undid`. */
    async undone(ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set();
      const named = { 'detail.undoes': { $in: [...ids] }, undoing: { $exists: false } } as mongo.Filter<Stored>;
      const later = await audit.find(named, { projection: { 'detail.undoes': 1 } }).toArray();
      return new Set(later.map(({ detail }) => String(detail.undoes)));
    },
    /** Confirms that the act named in `detail.undoes` is undone. Before that, the undoing act may have failed. */
    async undid(id: string) {
      await audit.updateMany({ 'detail.undoes': id } as mongo.Filter<Stored>, { $unset: { undoing: '' } });
    },
    /** Deletes operators' texts about a user or a target that an erasure did not reach. */
    forget: async (whose: string): Promise<void> => void (await AUDIT_LOG.erase(connection, whose)),
  };
  return log;
}

function fromStored({ _id, undoing: _, ...entry }: Stored): AuditEntry {
  return { ...entry, id: _id };
}

/** Sort order at the end of each index of `AUDIT_LOG`. */
export const NEWEST_FIRST = { atMs: -1, _id: -1 } as const;

/** A query with its index: with another one the store would sort all entries of an operator. */
interface AuditQuery {
  filter: mongo.Filter<Stored>;
  hint: Readonly<Record<string, 1 | -1>>;
}

/**
 * Splits a page into queries that each read along one index: one per target, else one per act, else one. Their merged results are the
 * page.
 */
export function auditQueries({ after, filter = {} }: AuditPage): AuditQuery[] {
  const { adminId, actions, targets, fromMs, toMs } = filter;
  const endMs = Math.min(toMs ?? Number.MAX_SAFE_INTEGER, after?.atMs ?? Number.MAX_SAFE_INTEGER);
  const by = adminId === undefined ? {} : { adminId };
  const within = {
    ...by,
    atMs: { $gte: fromMs ?? 0, $lte: endMs },
    ...(after ? { $or: [{ atMs: { $lt: after.atMs } }, { atMs: after.atMs, _id: { $lt: after.id } }] } : {}),
  };
  const along = (begins: object) => ({
    ...Object.fromEntries(Object.keys(begins).map((field) => [field, 1 as const])),
    ...NEWEST_FIRST,
  });
  // One user has few entries, so acts are filtered while reading them.
  const picked = actions ? { action: { $in: actions } } : {};
  if (targets) return targets.map((target) => ({ filter: { target, ...within, ...picked }, hint: along({ target }) }));
  if (!actions) return [{ filter: within, hint: along(by) }];
  return actions.map((action) => ({ filter: { action, ...within }, hint: along({ ...by, action }) }));
}

/** Sort order of the log, in one service or merged over all. */
export function auditOrder(a: AuditPlace, b: AuditPlace): number {
  return b.atMs - a.atMs || Number(a.id < b.id) - Number(a.id > b.id);
}

/** Serves the log to auth, which merges the acts of all services (GET /admin/audit). */
export function serveAuditLog(nats: Pick<Nats, 'serve'>, service: ServiceName, log: AuditLog): Consuming {
  return nats.serve(auditRpc(service), async (page) => ({ entries: await log.newest(page) }));
}
