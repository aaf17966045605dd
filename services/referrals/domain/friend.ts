import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';
import { type Address, bonusWaits, type Mined, waitEndsAtMs } from './network.js';

/** Status of the referrer's bonus for one friend, as shown. */
type BonusStatus = 'pending' | 'held' | 'credited' | 'refused';

/** A friend's earnings since the link, stored in the friend's own record. All amounts in micro-CORD. */
export interface Friend {
  /** Version of the friend's ledger account that the amounts come from. */
  accountSeq: bigint;
  linkedAtMs: number;
  /** Earned from mining, tasks and check-ins before the link. */
  baselineMicro: bigint;
  /** Earned from them in total. */
  eligibleMicro: bigint;
  /** Amount that counts for commission: eligible minus baseline, frozen while held. It only increases. */
  countedMicro: bigint;
  /** Amount held back; absent while nothing is held, so that a referrer's held amounts can be summed by index. */
  heldMicro?: bigint;
  /** Earned from all sources, for display. */
  totalMicro: bigint;
  /** Total node time, ms. */
  ranMs: number;
  bonus: 'pending' | 'promised' | 'credited' | 'refused';
  /** An admin has released the hold for good. */
  released: boolean;
  /** An admin refused the held amount: nothing that this friend earns counts any more. Otherwise absent. */
  refused?: true;
  /** Returned after an erasure: nothing that this friend earns counts (services/README.md#erasure). */
  returned?: true;
  /** The account is deleted, and whether money was held then: without an address it cannot be derived. */
  gone?: 'free' | 'held';
}

/** A friend's account from an event. */
export interface FriendAccount {
  accountSeq: bigint;
  eligibleMicro: bigint;
  totalMicro: bigint;
  ranMs: number;
}

/** A friend with related data of the same record. */
export interface Known {
  friend: Friend;
  address: Address;
  mined?: Mined | undefined;
}

/** Data outside the friend's record that decides about the friend's money. */
export interface Standing {
  /** The referrer's address. */
  referrer: Address;
  /** The addresses where the referrer mined. */
  mined: Mined | undefined;
  /** Whether the referrer is erased: then no bonus is promised any more. */
  erased: boolean;
  nowMs: number;
}

/** Minimum anti-cheat level at which a shared address holds payments. */
const HOLD_LEVEL = 1;

/** Returns a new friend at the time of the link. */
export function newFriend(account: FriendAccount, linkedAtMs: number, returned: boolean): Friend {
  return {
    ...account,
    linkedAtMs,
    baselineMicro: account.eligibleMicro,
    countedMicro: 0n,
    bonus: returned ? 'refused' : 'pending',
    released: false,
    ...(returned ? { returned } : {}),
  };
}

/**
 * Whether a friend's money is held: while both share an address at level 1 or more, unless an admin released it.
 * While one address is unknown, the stored state remains: an import without address keys ends no hold.
 */
export function isHeld({ friend, address }: Known, referrer: Address): boolean {
  if (friend.released) return false;
  if (friend.gone) return friend.gone === 'held';
  if (address.unknown || referrer.unknown) return friend.heldMicro !== undefined;
  return sharesAddress({ address }, referrer) && Math.max(address.level, referrer.level) >= HOLD_LEVEL;
}

/** Whether both have the same address. */
export function sharesAddress({ address }: Pick<Known, 'address'>, referrer: Address): boolean {
  return address.key !== null && address.key === referrer.key;
}

/** Whether the friend returned after an erasure or was refused by an admin: then nobody earns from the friend. */
export function isExcluded(friend: Friend): boolean {
  return friend.returned === true || friend.refused === true;
}

/** Whether the friend's node ran long enough for the bonus, and the bonus is not promised yet. */
export function isBonusOpen(friend: Friend): boolean {
  return friend.bonus === 'pending' && friend.ranMs >= REFERRER_BONUS_AFTER_MS;
}

/** Whether the 86 CORD for a friend must wait (network.ts); never after an admin's release. */
function waits({ friend, address, mined }: Known, standing: Standing): boolean {
  if (standing.erased) return true;
  return !friend.released && bonusWaits({ ranMs: friend.ranMs, address }, mined, standing.mined, standing.nowMs);
}

/**
 * Returns when to check a waiting bonus that no event will trigger, ms since epoch; undefined while none waits for time alone.
 * @param mark the previous mark; an earlier one is kept, because its check sets the next, which saves writes
 */
export function bonusCheckAtMs(known: Known, standing: Standing, mark?: number): number | undefined {
  if (!isBonusOpen(known.friend) || standing.erased || !waits(known, standing)) return undefined;
  const endsAtMs = waitEndsAtMs(known.mined, standing.mined, standing.nowMs);
  const marked = mark !== undefined && mark > standing.nowMs ? mark : undefined;
  return endsAtMs === undefined || marked === undefined ? endsAtMs : Math.min(marked, endsAtMs);
}

/** Returns the bonus status as shown to the referrer. */
export function bonusStatus(known: Known, standing: Standing): BonusStatus {
  const { bonus } = known.friend;
  if (bonus === 'credited' || bonus === 'refused') return bonus;
  return (isBonusOpen(known.friend) && waits(known, standing)) || isHeld(known, standing.referrer) ? 'held' : 'pending';
}

/** Stores a friend's account, unless a newer one is known or the friend's account is deleted. */
export function withAccount(friend: Friend, account: FriendAccount): Friend {
  return friend.gone || account.accountSeq <= friend.accountSeq ? friend : { ...friend, ...account };
}

/** Marks a friend as returned after an erasure. Amounts counted before stay counted. */
export function withReturned(friend: Friend): Friend {
  if (friend.returned) return friend;
  return { ...friend, bonus: friend.bonus === 'pending' ? 'refused' : friend.bonus, returned: true };
}

/** Marks a friend whose account is deleted: a hold remains. */
export function withDeletedAccount(known: Known, standing: Standing): Friend {
  if (known.friend.gone) return known.friend;
  return { ...known.friend, gone: bonusStatus(known, standing) === 'held' ? 'held' : 'free' };
}

/** Releases a friend's hold for good, by an admin's decision. */
export function withRelease(friend: Friend): Friend {
  return friend.released ? friend : { ...friend, released: true };
}

/** An admin's decision about a hold: `hold` reverts an earlier decision. */
export type HoldDecision = 'release' | 'refuse' | 'hold';

/**
 * Returns the friend after an admin's decision. Amounts already counted or promised stay, whatever is decided later.
 */
export function withDecision(friend: Friend, decision: HoldDecision): Friend {
  if (decision === 'release') return withRelease(withoutDecision(friend));
  if (decision === 'hold') return withoutDecision(friend);
  if (isExcluded(friend)) return friend;
  return { ...withoutDecision(friend), refused: true, bonus: friend.bonus === 'pending' ? 'refused' : friend.bonus };
}

/** Whether two friends have the same decision. */
export const sameDecision = (
  a: Pick<Friend, 'released' | 'refused'>,
  b: Pick<Friend, 'released' | 'refused'>,
): boolean => a.released === b.released && a.refused === b.refused;

function withoutDecision(friend: Friend): Friend {
  if (!friend.released && !friend.refused) return friend;
  const { refused, ...free } = friend;
  const opens = refused && free.bonus === 'refused' && !free.returned;
  return { ...free, released: false, bonus: opens ? 'pending' : free.bonus };
}

/** State of a friend's hold. */
export type HoldState = 'held' | 'released' | 'refused';

/** Returns the state of a friend's hold; null when nothing is or was held. Held means uncounted commission, or the 86 CORD although the node ran long enough for them. */
export function holdStateOf(known: Known, standing: Standing): HoldState | null {
  const { friend } = known;
  if (friend.refused) return 'refused';
  if (friend.released) return 'released';
  if (isExcluded(friend) || standing.erased) return null;
  const bonusHeld = isBonusOpen(friend) && bonusStatus(known, standing) === 'held';
  return friend.heldMicro !== undefined || bonusHeld ? 'held' : null;
}

/** Stores that the ledger credited a promised bonus. */
export function withBonusCredited(friend: Friend): Friend {
  return friend.bonus === 'credited' ? friend : { ...friend, bonus: 'credited' };
}

/**
 * Counts the friend's earnings by the current state.
 * @returns the same friend object when nothing changes; `bonusDue` when the bonus must be promised in the same write
 */
export function counted(known: Known, standing: Standing): { friend: Friend; bonusDue: boolean } {
  const { friend } = known;
  if (isExcluded(friend)) return { friend: withHeld(friend, 0n), bonusDue: false };
  const earnedMicro = friend.eligibleMicro - friend.baselineMicro;
  if (isHeld(known, standing.referrer)) {
    return { friend: withHeld(friend, earnedMicro - friend.countedMicro), bonusDue: false };
  }
  const bonusDue = isBonusOpen(friend) && !waits(known, standing);
  const risen = earnedMicro > friend.countedMicro;
  const countedMicro = risen ? earnedMicro : friend.countedMicro;
  const bonus = bonusDue ? 'promised' : friend.bonus;
  const next: Friend = risen || bonusDue ? { ...friend, countedMicro, bonus } : friend;
  return { friend: withHeld(next, 0n), bonusDue };
}

/**
 * Returns the friend after an account update that changes amounts only: no bonus, no hold.
 * @returns null when the update must be stored at once
 */
export function aheadOf(known: Known, account: FriendAccount, standing: Standing): Friend | null {
  const { friend, bonusDue } = counted({ ...known, friend: withAccount(known.friend, account) }, standing);
  const sameHold = (friend.heldMicro === undefined) === (known.friend.heldMicro === undefined);
  // While the bonus waits for another event, the record must store the node time.
  return bonusDue || !sameHold || isBonusOpen(friend) ? null : friend;
}

/** Whether the counted or the held amount changed. */
export function movesAmounts(before: Friend | undefined, after: Friend): boolean {
  return after.countedMicro !== (before?.countedMicro ?? 0n) || after.heldMicro !== before?.heldMicro;
}

function withHeld(friend: Friend, micro: bigint): Friend {
  if ((friend.heldMicro ?? 0n) === micro || (micro < 0n && friend.heldMicro === undefined)) return friend;
  const { heldMicro: _held, ...free } = friend;
  return micro > 0n ? { ...free, heldMicro: micro } : free;
}
