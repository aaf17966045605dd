import { inBatches } from '@cord/kit/batches';
import { withCause } from '@cord/kit/cause';
import type { KeyedHash } from '@cord/kit/keyed-hash';
import type { Turn } from '@cord/kit/periodic';
import type { AntiCheat } from './anticheat/port.js';
import { forgottenBefore, mayReturn, RETURN_LIMIT, type ReturnLimit, utcDay } from './domain/return-limit.js';
import type { UserDoc } from './domain/user-doc.js';
import { userErasedItem } from './domain/user-events.js';
import type { Rights } from './rights.js';
import { ERASURE_RETRY_MS, type ErasureStore } from './store/erasures.js';
import type { UserStore } from './store/users.js';

/** Forgets a person everywhere (services/README.md#erasure): here at once, in the other services by user.erased. */
export interface Erasure {
  erase(user: UserDoc): Promise<void>;
  /** Whether accounts with this Discord id were erased before, and whether another one may be opened now. */
  pastOf(discordId: string): Promise<Past>;
  /** Goes on with erasures that a crash cut short. */
  sweep(turn: Pick<Turn, 'lease'>): Promise<void>;
}

interface Past {
  wasErased: boolean;
  /** False for a while after many erasures (domain/return-limit.ts). */
  mayReturn: boolean;
}

/** Erasures at a time. */
const BATCH = 8;

export function createErasure(deps: {
  users: UserStore;
  erasures: ErasureStore;
  antiCheat: AntiCheat;
  rights: Rights;
  tombstone: KeyedHash;
  /** The answers kept under the user's Idempotency-Keys. */
  idempotency: { forgetUser(userId: string): Promise<void> };
  /** Takes the user out of the other collections, of our stream, and of the dead letters; repeatable. */
  erase: (userId: string) => Promise<void>;
  relay: (userId: string) => void;
  now: () => number;
  limit?: ReturnLimit;
}): Erasure {
  const { users, erasures, antiCheat, rights, tombstone } = deps;
  const { idempotency, relay, now, limit = RETURN_LIMIT } = deps;

  /** The order matters: once the erasure is begun, the sweeper can finish it without the user's record. */
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
    // Once for each account. A crash before it leaves one erasure uncounted, which only lets the person return once more.
    if (isBegun) await erasures.count(hash, utcDay(nowMs), limit.erasures);
    await forget(user._id);
  }

  /** Everything held here about the user; doing it twice changes nothing. */
  async function forget(userId: string): Promise<void> {
    await users.remove(userId);
    await rights.revokeUser(userId);
    await rights.publishRole(userId);
    await antiCheat.forget(userId);
    await idempotency.forgetUser(userId);
    await deps.erase(userId);
    relay(userId);
    await erasures.finish(userId);
  }

  return {
    erase,
    async pastOf(discordId) {
      const days = await erasures.erasedOn(tombstone(discordId));
      return { wasErased: days !== null, mayReturn: mayReturn(days ?? [], utcDay(now()), limit) };
    },
    async sweep(turn) {
      await erasures.forgetDays(forgottenBefore(utcDay(now()), limit));
      await inBatches(turn, BATCH, () => ({
        read: (most, takes) => erasures.due(now(), most, takes),
        each: forget,
      }));
    },
  };
}
