import { inBatches } from '@cord/kit/batches';
import { withCause } from '@cord/kit/cause';
import type { KeyedHash } from '@cord/kit/keyed-hash';
import type { Log } from '@cord/kit/log';
import type { Turn } from '@cord/kit/periodic';
import { Problem } from '@cord/kit/problem';
import type { AntiCheat } from './anticheat/port.js';
import { firstCountedDay, mayReturn, RETURN_LIMIT, type ReturnLimit, utcDay } from './domain/return-limit.js';
import type { UserDoc } from './domain/user-doc.js';
import { userErasedItem } from './domain/user-events.js';
import { RIGHTS_NOT_ANNOUNCED, type Rights } from './rights.js';
import { ERASURE_RETRY_MS, type ErasureStore } from './store/erasures.js';
import type { UserStore } from './store/users.js';

/** Erases a person everywhere (services/README.md#erasure): here at once, in the other services by user.erased. */
export type Erasure = ReturnType<typeof createErasure>;

export interface Past {
  wasErased: boolean;
  /** False for a while after many erasures (domain/return-limit.ts). */
  mayReturn: boolean;
}

/** Number of erasures per batch. */
const BATCH = 8;

export function createErasure(deps: {
  users: UserStore;
  erasures: ErasureStore;
  antiCheat: AntiCheat;
  rights: Rights;
  tombstone: KeyedHash;
  /** Stored responses of the user's Idempotency-Keys. */
  idempotency: { forgetUser(userId: string): Promise<void> };
  /** Deletes the user from the other collections; idempotent. */
  erase: (userId: string) => Promise<void>;
  /** Purges the user from our stream and the dead letters; idempotent. */
  purge: (userId: string) => Promise<void>;
  relay: (userId: string) => void;
  log: Pick<Log, 'warn'>;
  now: () => number;
  limit?: ReturnLimit;
}) {
  const { users, erasures, antiCheat, rights, tombstone } = deps;
  const { idempotency, purge, relay, log, now, limit = RETURN_LIMIT } = deps;

  /** The order matters: once the erasure has begun, the sweeper can finish it without the user's record. */
  async function erase(user: UserDoc): Promise<void> {
    const nowMs = now();
    const hash = tombstone(user.discordId);
    await erasures.keepTombstone(hash);
    const isBegun = await erasures.begin({
      _id: user._id,
      atMs: nowMs,
      dueAtMs: nowMs + ERASURE_RETRY_MS,
      seq: user.seq + 1,
      outbox: withCause([], [userErasedItem(user._id, user.seq + 1, nowMs)]),
      dirtyAt: nowMs,
    });
    // Once per account. A crash before this leaves one erasure uncounted, which only allows one more return.
    if (isBegun) await erasures.count(hash, utcDay(nowMs), limit.erasures);
    await forgetStored(user._id);
    await finish(user._id).catch((err: unknown) => {
      log.warn({ err, userId: user._id }, 'purging an erased account from the streams failed; retrying later');
    });
  }

  /** Deletes everything in the store about the user; idempotent. */
  async function forgetStored(userId: string): Promise<void> {
    await users.remove(userId);
    await nowOrLater(userId, rights.revokeUser(userId));
    await nowOrLater(userId, rights.publishRole(userId));
    await antiCheat.forget(userId);
    await idempotency.forgetUser(userId);
    await deps.erase(userId);
  }

  /** A stored change that could not be announced is announced by the next heartbeat. */
  async function nowOrLater(userId: string, change: Promise<void>): Promise<void> {
    await change.catch((err: unknown) => {
      if (!(err instanceof Problem && err.type === RIGHTS_NOT_ANNOUNCED)) throw err;
      log.warn({ err, userId }, 'a change for an erased account is not announced yet; the next heartbeat does it');
    });
  }

  async function finish(userId: string): Promise<void> {
    await purge(userId);
    relay(userId);
    await erasures.finish(userId);
  }

  return {
    /** Resolves once the store holds nothing of the person. Streams that cannot be purged while NATS is down are purged by the sweep. */
    erase,
    /** Returns whether accounts with this Discord id were erased before, and whether another one may be opened now. */
    async pastOf(discordId: string): Promise<Past> {
      const days = await erasures.erasedOn(tombstone(discordId));
      return { wasErased: days !== null, mayReturn: mayReturn(days ?? [], utcDay(now()), limit) };
    },
    /** Resumes interrupted erasures. */
    async sweep(turn: Pick<Turn, 'lease'>) {
      await erasures.forgetDays(firstCountedDay(utcDay(now()), limit));
      await inBatches(turn, BATCH, () => ({
        read: (most, takes) => erasures.due(now(), most, takes),
        async each(userId) {
          await forgetStored(userId);
          await finish(userId);
        },
      }));
    },
  };
}
