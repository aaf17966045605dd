import type { ServiceName } from '@cord/contracts/endpoint';
import { type AuditFilter, auditRpc } from '@cord/contracts/rpc/audit';
import { DAY_MS } from '@cord/contracts/rules/days';
import type { Connection, mongo } from 'mongoose';
import { causeNow } from './cause.js';
import type { Clock } from './clock.js';
import { collection, type IndexPlan } from './collection.js';
import { onceId } from './idempotency.js';
import type { Consuming } from './nats/consume.js';
import type { Nats } from './nats.js';
import type { PeriodicWork } from './periodic.js';
import { plainJson } from './plain-json.js';
import { insertOnce } from './store-errors.js';

/** One act of an admin; never changed, but by an erasure, and kept for two years (services/README.md#sign-in-and-rights). */
export interface AuditEntry {
  id: string;
  atMs: number;
  adminId: string;
  /** `epoch.create`, `user.cleared` */
  action: string;
  /** What was acted on: a user id, a task id, an address key. */
  target: string;
  detail: Record<string, unknown>;
  /** The user whom it is about, where the target is another: with that user goes what an operator wrote. */
  about?: string | undefined;
  /** Of the call that did it, as logs have it; absent where there was no call. */
  requestId?: string | undefined;
}

/** What an entry's place in the log is made of. */
export type AuditPlace = Pick<AuditEntry, 'atMs' | 'id'>;

export type AuditLog = ReturnType<typeof openAuditLog>;

/** A page of the log. */
export interface AuditPage {
  after: AuditPlace | null;
  limit: number;
  filter?: AuditFilter;
}

/** Whom or what an operator looked at, and at what of it. */
type AuditLook = Pick<AuditEntry, 'adminId' | 'action' | 'target'> & { at?: string };

/** Looks of the same operator at the same are one line for so long. */
const LOOK_AGAIN_MS = 600_000;

/** What of an account an operator looks at. */
type LookedAt = 'ledger' | 'mining' | 'orders' | 'claims';

/** The call by which an operator looks. */
interface LookingCall {
  user: { id: string };
  params: { id: string };
}

/** Notes that an operator viewed an account. */
export function noteLook(audit: Pick<AuditLog, 'look'>, { user, params }: LookingCall, at: LookedAt): Promise<void> {
  return audit.look({ adminId: user.id, action: 'user.looked-up', target: params.id, at });
}

type Stored = Omit<AuditEntry, 'id'> & {
  _id: string;
  /** Of an entry with `detail.undoes`, until its act is done. */
  undoing?: true;
};

/** What an operator writes of a user, and the transactions by which they paid and by which a payment went back to them. */
const WRITTEN = ['reason', 'note', 'transactionHash', 'returnTransaction'];

/** Of a service with an audit log. */
export const AUDIT_LOG = collection<Stored>({
  name: 'audit',
  indexes: [
    ...[{}, { target: 1 }, { adminId: 1 }, { action: 1 }, { adminId: 1, action: 1 }].map((by) => ({
      key: { ...by, atMs: -1, _id: -1 } as IndexPlan['key'],
    })),
    { key: { 'detail.undoes': 1 }, sparse: true },
    { key: { about: 1 }, sparse: true },
  ],
  /** What an operator wrote of the user goes; the acts stay, with random ids alone. */
  async erase(audit, userId) {
    const written = Object.fromEntries(WRITTEN.map((field) => [`detail.${field}`, '' as const]));
    for (const whose of [{ target: userId }, { about: userId }]) {
      await audit.updateMany(whose, { $unset: written } as mongo.UpdateFilter<Stored>);
    }
  },
});

/** How long an entry is kept, ms. */
const KEPT_MS = 730 * DAY_MS;

/** Deletes what is older than two years. */
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

/** The audit log of a service, in its own database. */
export function openAuditLog(connection: Connection, clock: Pick<Clock, 'now'>) {
  const audit = AUDIT_LOG.in(connection);
  const log = {
    /**
     * Written before the act is done, so that a crash between the two hides nothing. Once where its call runs again (`onceId`), also where its details
     * differ by then, as a time or what the first run has changed.
     */
    async write({ adminId, action, target, detail, about }: Omit<AuditEntry, 'id' | 'atMs' | 'requestId'>) {
      const requestId = causeNow()?.requestId;
      const act = { adminId, action, target, detail: plainJson(detail), ...(about ? { about } : {}) };
      const _id = onceId(JSON.stringify([adminId, action, target]));
      const undoing = 'undoes' in detail ? { undoing: true as const } : {};
      const entry = { _id, atMs: clock.now(), ...act, ...undoing, ...(requestId ? { requestId } : {}) };
      await insertOnce(() => audit.insertOne(entry));
    },
    /** Notes that an operator viewed something: one line in ten minutes, however many pages it has and however often a page that stays open looks again. */
    async look({ at, ...look }: AuditLook) {
      const detail = at === undefined ? {} : { at };
      const same = { ...look, ...(at === undefined ? {} : { 'detail.at': at }) } as mongo.Filter<Stored>;
      const lately = { ...same, atMs: { $gt: clock.now() - LOOK_AGAIN_MS } };
      if (await audit.findOne(lately, { hint: { target: 1, ...NEWEST_FIRST } })) return;
      await log.write({ ...look, detail });
    },
    /** Newest first; those of a filter, behind a place. By indexes, whatever the filter. */
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
    /** Which of these entries a later one has undone: one of which `undid` was noted. */
    async undone(ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set();
      const named = { 'detail.undoes': { $in: [...ids] }, undoing: { $exists: false } } as mongo.Filter<Stored>;
      const later = await audit.find(named, { projection: { 'detail.undoes': 1 } }).toArray();
      return new Set(later.map(({ detail }) => String(detail.undoes)));
    },
    /** Notes that what an entry names in `detail.undoes` is undone: until then the act that undoes it may have failed. */
    async undid(id: string) {
      await audit.updateMany({ 'detail.undoes': id } as mongo.Filter<Stored>, { $unset: { undoing: '' } });
    },
    /** Takes out what operators wrote of a user or of what was acted on, after an erasure has passed by it. */
    forget: async (whose: string): Promise<void> => void (await AUDIT_LOG.erase(connection, whose)),
  };
  return log;
}

function fromStored({ _id, undoing: _, ...entry }: Stored): AuditEntry {
  return { ...entry, id: _id };
}

/** The order of the indexes that `AUDIT_LOG` has, behind what each begins with. */
export const NEWEST_FIRST = { atMs: -1, _id: -1 } as const;

/** A query, and the index that it reads along: a store that chose another would sort all entries of an operator. */
interface AuditQuery {
  filter: mongo.Filter<Stored>;
  hint: Readonly<Record<string, 1 | -1>>;
}

/**
 * A page as queries of which each reads along one index: one for each target, else one for each act, else one. Their answers together
 * are the page's.
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
  // What was done to one user is little: there the acts are picked out of it.
  const picked = actions ? { action: { $in: actions } } : {};
  if (targets) return targets.map((target) => ({ filter: { target, ...within, ...picked }, hint: along({ target }) }));
  if (!actions) return [{ filter: within, hint: along(by) }];
  return actions.map((action) => ({ filter: { action, ...within }, hint: along({ ...by, action }) }));
}

/** The order of the log, of one service or of all together. */
export function auditOrder(a: AuditPlace, b: AuditPlace): number {
  return b.atMs - a.atMs || Number(a.id < b.id) - Number(a.id > b.id);
}

/** Answers auth, which shows the acts of all services in one list (GET /admin/audit). */
export function serveAuditLog(nats: Pick<Nats, 'serve'>, service: ServiceName, log: AuditLog): Consuming {
  return nats.serve(auditRpc(service), async (page) => ({ entries: await log.newest(page) }));
}
