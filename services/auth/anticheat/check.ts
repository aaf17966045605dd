import { ANTICHEAT_CACHE_MS, ANTICHEAT_RECHECK_MS } from '@cord/contracts/rules/timings';
import { inBatches } from '@cord/kit/batches';
import { withCause } from '@cord/kit/cause';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import type { Turn } from '@cord/kit/periodic';
import { alreadyChanged } from '@cord/kit/second-operator';
import type { AddressStore } from './addresses.js';
import { type AssessmentChange, type AssessmentDoc, type AssessmentStore, assessedItem } from './assessments.js';
import { historyAfter } from './history.js';
import {
  ADDRESS_KEPT_MS,
  type Assessment,
  assess,
  CLEARED_FOR_MS,
  countingAddress,
  hasMinedAnHour,
  PENALISED_FROM,
} from './levels.js';
import type { MinedStore } from './mined.js';
import type { AntiCheat, ClearState } from './port.js';

/** The network check, with its triggers. */
export interface NetworkCheck extends AntiCheat {
  /** Assesses a user again after the node started, paused, stopped or published its addresses. */
  nodeChanged(userId: string): Promise<void>;
  /** Re-checks each user who counts at an address every 30 minutes, and deletes data older than 30 days. */
  sweep(turn: Pick<Turn, 'lease'>): Promise<void>;
}

/** Number of an address's users per read. */
const BATCH = 64;
/** From this time, ms: includes all addresses. */
const EVER_MS = 0;

/** Bounds for counting and assessing at an address; small for tests. */
export type CrowdBounds = typeof CROWD;

const CROWD = {
  /**
   * Maximum number of users at an address for whom each is assessed when another one comes. From ten on the level is
   * constant; the margin covers users who come at once. An admin who marks the address waits for this many assessments.
   */
  assessed: 16,
  /** Maximum number counted for each assessment; beyond it, the stored number is used. */
  counted: 64,
};

export function createCheck(deps: {
  mined: MinedStore;
  assessments: AssessmentStore;
  addresses: AddressStore;
  /** Returns whether the user exists: nothing is stored for an erased one. */
  isUser: (userId: string) => Promise<boolean>;
  relay: (userId: string) => void;
  now: () => number;
  crowd?: CrowdBounds;
}): NetworkCheck {
  const { mined, assessments, addresses, isUser, relay, now, crowd = CROWD } = deps;

  /** Returns the user's assessment, creating it on first use; null for an erased user. */
  async function current(userId: string): Promise<AssessmentDoc | null> {
    const known = await assessments.of(userId);
    if (known) return known;
    await assessments.open(firstAssessment(userId, now()));
    // An erasure deletes the user first: an assessment inserted after its deletion of assessments is removed here.
    if (await isUser(userId)) return assessments.of(userId);
    await assessments.remove(userId);
    return null;
  }

  /** Assesses the user, whose counting address may have changed, and all who share the old or the new address. */
  async function recheck(userId: string): Promise<AssessmentDoc> {
    const after = await assessUser(userId, { moves: true });
    if (!after.moved) return after;
    // A mark is applied to the users at the address: a user who joined during it is assessed again.
    const { addressHash, addressIsShared } = after;
    const isMarked = addressHash !== null && (await addresses.isShared(addressHash)) !== addressIsShared;
    const stands = isMarked ? await assessUser(userId, { moves: true }) : after;
    await assessOthers(stands);
    return stands;
  }

  /** Assesses the others at addresses that a user left or joined; repeated after an interruption until it completes. */
  async function assessOthers({ _id, moved }: AssessmentDoc): Promise<void> {
    if (!moved) return;
    for (const addressHash of moved.addresses) await addressChanged(addressHash, _id);
    await assessments.settle(_id, moved.seq);
  }

  /** Assesses the others at an address after a user came or left, unless it is so crowded that their level does not change. */
  async function addressChanged(addressHash: string, userId: string): Promise<void> {
    const users = await noteUsersAt(addressHash);
    if (users <= crowd.assessed) await assessAllAt(addressHash, userId);
  }

  /** Stores how many users count at an address. Others come and go meanwhile: the last to store has counted after the store. */
  async function noteUsersAt(addressHash: string): Promise<number> {
    for (let users = await assessments.countAt(addressHash); ; ) {
      await addresses.note(addressHash, users, now());
      const counted = await assessments.countAt(addressHash);
      if (counted === users) return users;
      users = counted;
    }
  }

  /** Recounts an address without a change for 30 days: after a crash or a mark it may be stored without users. */
  async function recountAddress(addressHash: string): Promise<void> {
    if ((await assessments.countAt(addressHash, 1)) > 0) await noteUsersAt(addressHash);
    else await addresses.remove(addressHash, now() - ADDRESS_KEPT_MS);
  }

  /** Returns how many users count at an address: exact for few, else a lower bound (each user of a crowd would count all). */
  async function usersAt(addressHash: string): Promise<number> {
    const counted = await assessments.countAt(addressHash, crowd.counted);
    return counted < crowd.counted ? counted : Math.max(counted, await addresses.usersNoted(addressHash));
  }

  async function assessAllAt(addressHash: string, except: string): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const page: string[] = await assessments.usersAt(addressHash, after, BATCH);
      for (const other of page) if (other !== except) await assessUser(other, { moves: false });
      if (page.length < BATCH) return;
      after = page.at(-1) ?? null;
    }
  }

  /**
   * Assesses one user by compare-and-set; nothing is stored for an erased one.
   * @param moves whether to recompute the user's counting address
   */
  async function assessUser(userId: string, { moves }: { moves: boolean }): Promise<AssessmentDoc> {
    return compareAndSet(async () => {
      const before = await current(userId);
      if (!before) return firstAssessment(userId, now());
      const atAddresses = await mined.ofUser(userId, now() - ADDRESS_KEPT_MS);
      const addressHash = moves ? countingAddress(atAddresses) : before.addressHash;
      const others = addressHash === null ? 0 : await usersAt(addressHash);
      const moved = before.addressHash === addressHash ? {} : { moved: moveOf(before, addressHash) };
      const joins = addressHash !== null && before.addressHash !== addressHash ? 1 : 0;
      const addressIsShared = addressHash !== null && (await addresses.isShared(addressHash));
      const ended = before.cleared && (before.clearedUntilMs ?? Number.POSITIVE_INFINITY) <= now();
      const clear = ended ? { cleared: false, wholeSinceMs: null } : {};
      const assessed = assess({
        accountsAtAddress: others + joins,
        addressesOfUser: atAddresses.length,
        cleared: before.cleared && !ended,
        addressIsShared,
      });
      const hourMined = hasMinedAnHour(atAddresses);
      // A user assessed because of another's move stays due: the own counting address was not recomputed.
      const dueAtMs = moves ? null : before.recheckAtMs;
      const isDue = addressHash !== null || { ...before, ...moved }.moved !== undefined;
      const recheckAtMs = isDue ? (dueAtMs ?? now() + ANTICHEAT_RECHECK_MS) : null;
      return store(before, { ...assessed, ...clear, ...moved, addressHash, addressIsShared, hourMined, recheckAtMs });
    });
  }

  /** Stores an assessment, with its event when something changed; LOST on conflict. */
  async function store(before: AssessmentDoc, change: AssessmentChange): Promise<AssessmentDoc | typeof LOST> {
    const nowMs = now();
    const after = { ...before, ...change, checkedAtMs: nowMs, seq: before.seq + 1 };
    const history = historyAfter(before, after);
    const events = samePublished(before, after) ? [] : withCause([], [assessedItem(after)]);
    const kept = { ...change, ...(history ? { history } : {}), checkedAtMs: nowMs };
    const written = await assessments.change(before, kept, events, nowMs);
    if (!written) return LOST;
    if (events.length > 0) relay(before._id);
    return after;
  }

  return {
    async status(userId) {
      const known = await assessments.of(userId);
      const isFresh = known !== null && known.seq > 0 && now() - known.checkedAtMs < ANTICHEAT_CACHE_MS;
      return isFresh ? known : recheck(userId);
    },
    async efficiencyOf(userId) {
      return (await assessments.of(userId))?.efficiencyHundredths ?? 100;
    },
    async nodeChanged(userId) {
      await recheck(userId);
    },
    async clear(userId, cleared, from) {
      await compareAndSet(async () => {
        const before = await current(userId);
        if (!before) return;
        if (!isSameClear(before, from)) {
          if (before.cleared === cleared) return;
          throw alreadyChanged();
        }
        const clearedUntilMs = cleared ? now() + CLEARED_FOR_MS : now();
        return store(before, { cleared, clearedUntilMs, wholeSinceMs: wholeSince(before, cleared, now()) });
      });
      return recheck(userId);
    },
    async markShared(addressHash, shared, from) {
      if (from === null) return false;
      if (!(await addresses.mark(from, { shared, markedAtMs: now() }))) {
        const stands = await addresses.of(addressHash);
        if (!stands) return false;
        if (stands.shared !== shared) throw alreadyChanged();
      }
      await assessments.makeDue(addressHash, now());
      for (const userId of await assessments.usersAt(addressHash, null, crowd.assessed)) await recheck(userId);
      return true;
    },
    crowded: addresses.crowded,
    penalisedAddresses: () => addresses.countCrowded(PENALISED_FROM),
    address: addresses.of,
    async accountsAt(addressHash, limit) {
      const userIds = await assessments.usersAt(addressHash, null, limit);
      return Promise.all(
        userIds.map(async (userId) => {
          const at = await mined.ofUser(userId, now() - ADDRESS_KEPT_MS);
          const all = at.reduce((sum, { minedMs }) => sum + minedMs, 0);
          const { minedMs: minedHereMs = 0, firstDay = null } = at.find((one) => one.addressHash === addressHash) ?? {};
          return { userId, minedHereMs, minedElsewhereMs: all - minedHereMs, firstDay };
        }),
      );
    },
    async addressesOf(userId) {
      const at = await mined.ofUser(userId, now() - ADDRESS_KEPT_MS);
      const known = await addresses.among(at.map(({ addressHash }) => addressHash));
      return at
        .map(({ addressHash, minedMs, lastAtMs }) => {
          // An address where no user has mined an hour is not stored yet.
          const nobodys = { _id: addressHash, users: 0, shared: false, seenAtMs: now() };
          return { ...(known.get(addressHash) ?? nobodys), minedMs, lastAtMs };
        })
        .sort((a, b) => b.minedMs - a.minedMs || Number(a._id > b._id) - Number(a._id < b._id));
    },
    standings: assessments.among,
    async historyOf(userId) {
      return (await assessments.of(userId))?.history ?? [];
    },
    async heldOf(userId) {
      const [assessment, at] = await Promise.all([assessments.of(userId), mined.ofUser(userId, EVER_MS)]);
      return {
        assessment: assessment && { ...assessment, outbox: undefined, dirtyAt: undefined, moved: undefined },
        addresses: at,
      };
    },
    async forget(userId) {
      await mined.removeUser(userId);
      const left = await compareAndSet(async () => {
        const before = await assessments.of(userId);
        if (!before || before.addressHash === null) return before;
        const change = { addressHash: null, recheckAtMs: null, moved: moveOf(before, null) };
        return (await assessments.change(before, change, [], now())) ? { ...before, ...change } : LOST;
      });
      // The assessment is deleted last: it holds the address that was left.
      if (left) await assessOthers(left);
      await assessments.remove(userId);
    },
    async sweep(turn) {
      if (!(await turn.lease())) return;
      const nowMs = now();
      await mined.removeOlder(nowMs - ADDRESS_KEPT_MS);
      await inBatches(turn, BATCH, () => ({
        read: (most, takes) => addresses.notedBefore(nowMs - ADDRESS_KEPT_MS, most, takes),
        each: recountAddress,
      }));
      // One after the other: users of one address change the same records.
      await inBatches(turn, 1, () => ({
        read: (most, takes) => assessments.dueForCheck(now(), most, takes),
        each: recheck,
      }));
    },
  };
}

/** Returns a move to another address, with earlier addresses whose other users are not yet assessed. */
function moveOf(before: AssessmentDoc, to: string | null): NonNullable<AssessmentDoc['moved']> {
  const addresses = [...(before.moved?.addresses ?? []), before.addressHash, to].filter((one) => one !== null);
  return { seq: before.seq + 1, addresses: [...new Set(addresses)] };
}

/** The initial, clean assessment. `seq` 0: nothing was published yet. */
function firstAssessment(userId: string, nowMs: number): AssessmentDoc {
  const clean = assess({ accountsAtAddress: 0, addressesOfUser: 0, cleared: false, addressIsShared: false });
  return {
    _id: userId,
    ...clean,
    addressHash: null,
    addressIsShared: false,
    cleared: false,
    hourMined: false,
    checkedAtMs: nowMs,
    recheckAtMs: null,
    seq: 0,
    outbox: [],
  };
}

function isSameClear(one: ClearState, other: ClearState): boolean {
  return one.cleared === other.cleared && (one.clearedUntilMs ?? null) === (other.clearedUntilMs ?? null);
}

/** Returns since when a clear has restored a reduced rate, ms since epoch; a second clear keeps the time. */
function wholeSince(before: AssessmentDoc, cleared: boolean, nowMs: number): number | null {
  if (!cleared) return null;
  return before.penaltyLevel > 0 ? nowMs : (before.wholeSinceMs ?? null);
}

function samePublished(before: AssessmentDoc, after: AssessmentDoc): boolean {
  const published: (keyof Assessment | 'addressHash' | 'hourMined')[] = [
    'penaltyLevel',
    'efficiencyHundredths',
    'isFlagged',
    'totalUsersOnIp',
    'addressHash',
    'hourMined',
  ];
  return published.every((field) => before[field] === after[field]);
}
