import { ANTICHEAT_CACHE_MS, ANTICHEAT_RECHECK_MS } from '@cord/contracts/rules/timings';
import { inBatches } from '@cord/kit/batches';
import { withCause } from '@cord/kit/cause';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import type { Turn } from '@cord/kit/periodic';
import { noLongerSo } from '@cord/kit/second-operator';
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

/** The network check, and what makes it look anew. */
export interface NetworkCheck extends AntiCheat {
  /** The user's node started, paused or stopped, or published where it runs: assesses anew. */
  nodeChanged(userId: string): Promise<void>;
  /** Re-checks every 30 minutes each user who counts at an address, and forgets what is older than 30 days. */
  sweep(turn: Pick<Turn, 'lease'>): Promise<void>;
}

/** Users read at a time of one address. */
const BATCH = 64;
/** All addresses, whenever they were. */
const EVER_MS = 0;

/** How much is counted and assessed at an address; small ones for tests. */
export type CrowdBounds = typeof CROWD;

const CROWD = {
  /**
   * Up to so many users at an address each is assessed when another comes: from ten on the level stays the last one; a few more, for users who come
   * at the same moment. So many are assessed while an admin who marks the address waits.
   */
  assessed: 16,
  /** Up to so many are counted for each assessment; beyond it the number noted when a user came last is used. */
  counted: 64,
};

export function createCheck(deps: {
  mined: MinedStore;
  assessments: AssessmentStore;
  addresses: AddressStore;
  /** Whether there is such a user: nothing is kept of an erased one. */
  isUser: (userId: string) => Promise<boolean>;
  relay: (userId: string) => void;
  now: () => number;
  crowd?: CrowdBounds;
}): NetworkCheck {
  const { mined, assessments, addresses, isUser, relay, now, crowd = CROWD } = deps;

  /** The user's assessment, which begins with the first look; null of an erased user. */
  async function current(userId: string): Promise<AssessmentDoc | null> {
    const known = await assessments.of(userId);
    if (known) return known;
    await assessments.open(firstAssessment(userId, now()));
    // An erasure removes the user first: one that has not seen the assessment is seen here.
    if (await isUser(userId)) return assessments.of(userId);
    await assessments.remove(userId);
    return null;
  }

  /** Where the user counts may have changed: the user is assessed, and all who share the old or the new address. */
  async function recheck(userId: string): Promise<AssessmentDoc> {
    const after = await assessUser(userId, { moves: true });
    if (!after.moved) return after;
    // A mark reaches who counts at the address: who came while it was made is assessed again.
    const { addressHash, addressIsShared } = after;
    const isMarked = addressHash !== null && (await addresses.isShared(addressHash)) !== addressIsShared;
    const stands = isMarked ? await assessUser(userId, { moves: true }) : after;
    await assessOthers(stands);
    return stands;
  }

  /** Those whom a user left or joined; repeated until it is done once, whatever cuts it short. */
  async function assessOthers({ _id, moved }: AssessmentDoc): Promise<void> {
    if (!moved) return;
    for (const addressHash of moved.addresses) await addressChanged(addressHash, _id);
    await assessments.settle(_id, moved.seq);
  }

  /** A user came or went: the others at the address are assessed, unless it is so crowded that nothing changes for them. */
  async function addressChanged(addressHash: string, userId: string): Promise<void> {
    const users = await noteUsersAt(addressHash);
    if (users <= crowd.assessed) await assessAllAt(addressHash, userId);
  }

  /** Notes how many count at an address. Others come and go meanwhile: who notes last has counted after the note. */
  async function noteUsersAt(addressHash: string): Promise<number> {
    for (let users = await assessments.countAt(addressHash); ; ) {
      await addresses.note(addressHash, users, now());
      const counted = await assessments.countAt(addressHash);
      if (counted === users) return users;
      users = counted;
    }
  }

  /** An address where no user has come or gone for 30 days: a crash or a mark may have kept it though no user counts there. */
  async function recountAddress(addressHash: string): Promise<void> {
    if ((await assessments.countAt(addressHash, 1)) > 0) await noteUsersAt(addressHash);
    else await addresses.remove(addressHash, now() - ADDRESS_KEPT_MS);
  }

  /** How many users count at an address: exact for few, else at least so many (each user of a crowd would count them all). */
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
   * One user, by compare-and-set; of an erased one nothing is stored.
   * @param moves whether the address where the user counts is worked out anew
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
      // Who is assessed where another came or went stays due: where this user counts was not worked out.
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
    const events = publishesTheSame(before, after) ? [] : withCause([], [assessedItem(after)]);
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
          throw noLongerSo();
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
        if (stands.shared !== shared) throw noLongerSo();
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
          // An address where no user has mined an hour is not counted yet.
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
      // The assessment goes last: it has the address that was left.
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
      // One after the other: those of one address change the same records.
      await inBatches(turn, 1, () => ({
        read: (most, takes) => assessments.dueForCheck(now(), most, takes),
        each: recheck,
      }));
    },
  };
}

/** A move to another address, with those before it whose other users are not assessed yet. */
function moveOf(before: AssessmentDoc, to: string | null): NonNullable<AssessmentDoc['moved']> {
  const addresses = [...(before.moved?.addresses ?? []), before.addressHash, to].filter((one) => one !== null);
  return { seq: before.seq + 1, addresses: [...new Set(addresses)] };
}

/** Before anything was mined: clean. `seq` 0: nothing was published yet. */
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

/** Since when a clear leaves the whole rate to who had less; a second clear changes nothing of that, ms since epoch. */
function wholeSince(before: AssessmentDoc, cleared: boolean, nowMs: number): number | null {
  if (!cleared) return null;
  return before.penaltyLevel > 0 ? nowMs : (before.wholeSinceMs ?? null);
}

function publishesTheSame(before: AssessmentDoc, after: AssessmentDoc): boolean {
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
