import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';
import { type Address, bonusWaits, type Mined, waitEndsAtMs } from './network.js';

/** The referrer's bonus for one friend. */
type BonusStatus = 'pending' | 'held' | 'credited' | 'refused';

/** What a friend has earned since the link; it stands in the friend's own record. All amounts in micro-CORD. */
export interface Friend {
  /** Version of the friend's ledger account that the amounts come from. */
  accountSeq: bigint;
  linkedAtMs: number;
  /** Earned from mining, tasks and check-ins before the link. */
  baselineMicro: bigint;
  /** Earned from them in all. */
  eligibleMicro: bigint;
  /** What counts for commission: eligible less baseline, frozen while held. It only rises. */
  countedMicro: bigint;
  /** What a hold keeps back; absent while nothing is held, so that what is held of a referrer is summed by index. */
  heldMicro?: bigint;
  /** Earned from everything, for show. */
  totalMicro: bigint;
  /** Node time in all, ms. */
  ranMs: number;
  bonus: 'pending' | 'promised' | 'credited' | 'refused';
  /** An admin has released the hold for good. */
  released: boolean;
  /** An admin has refused what was held: nothing that this friend earns counts any more. Absent else. */
  refused?: true;
  /** Came back after an erasure: nothing that this friend earns counts (services/README.md#erasure). */
  returned?: true;
  /** Deleted the account, and whether money was held then: without an address nothing else shows it. */
  gone?: 'free' | 'held';
}

/** A friend's account as in an event. */
export interface FriendAccount {
  accountSeq: bigint;
  eligibleMicro: bigint;
  totalMicro: bigint;
  ranMs: number;
}

/** A friend with what the own record holds beside it. */
export interface Known {
  friend: Friend;
  address: Address;
  mined?: Mined | undefined;
}

/** What decides about a friend's money beside the friend. */
export interface Standing {
  /** Where the referrer counts. */
  referrer: Address;
  /** Where the referrer has mined. */
  mined: Mined | undefined;
  /** The referrer is erased: no bonus is promised any more. */
  erased: boolean;
  nowMs: number;
}

/** Anti-cheat level from which a shared address holds payments. */
const HOLD_LEVEL = 1;

/** A friend at the link. */
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
 * Held while both share an address at level 1 or more, unless an admin has released it. While the address of one of them is unknown, what the
 * record holds stays: an import without the keys of addresses ends no hold.
 */
export function isHeld({ friend, address }: Known, referrer: Address): boolean {
  if (friend.released) return false;
  if (friend.gone) return friend.gone === 'held';
  if (address.unknown || referrer.unknown) return friend.heldMicro !== undefined;
  return sharesAddress({ address }, referrer) && Math.max(address.level, referrer.level) >= HOLD_LEVEL;
}

/** Whether both count at one address. */
export function sharesAddress({ address }: Pick<Known, 'address'>, referrer: Address): boolean {
  return address.key !== null && address.key === referrer.key;
}

/** Came back after an erasure, or was refused by an admin: makes no other user richer. */
export function countsForNobody(friend: Friend): boolean {
  return friend.returned === true || friend.refused === true;
}

/** The friend has run long enough for the bonus, and it has not been promised. */
export function isBonusOpen(friend: Friend): boolean {
  return friend.bonus === 'pending' && friend.ranMs >= REFERRER_BONUS_AFTER_MS;
}

/** Whether the 86 CORD for a friend wait (network.ts); never once an admin has released them. */
function waits({ friend, address, mined }: Known, standing: Standing): boolean {
  if (standing.erased) return true;
  return !friend.released && bonusWaits({ ranMs: friend.ranMs, address }, mined, standing.mined, standing.nowMs);
}

/**
 * When a bonus that waits is to be looked at though no event comes, ms since epoch; undefined while none waits for time alone.
 * @param mark what was set before: one that comes sooner stays, for that look sets the next, and the record is not written each time
 */
export function bonusLookAtMs(known: Known, standing: Standing, mark?: number): number | undefined {
  if (!isBonusOpen(known.friend) || standing.erased || !waits(known, standing)) return undefined;
  const endsAtMs = waitEndsAtMs(known.mined, standing.mined, standing.nowMs);
  const marked = mark !== undefined && mark > standing.nowMs ? mark : undefined;
  return endsAtMs === undefined || marked === undefined ? endsAtMs : Math.min(marked, endsAtMs);
}

/** What the friend's bonus looks like to the referrer. */
export function bonusStatus(known: Known, standing: Standing): BonusStatus {
  const { bonus } = known.friend;
  if (bonus === 'credited' || bonus === 'refused') return bonus;
  return (isBonusOpen(known.friend) && waits(known, standing)) || isHeld(known, standing.referrer) ? 'held' : 'pending';
}

/** Takes over a friend's account, unless a newer one is known or the friend is gone. */
export function withAccount(friend: Friend, account: FriendAccount): Friend {
  return friend.gone || account.accountSeq <= friend.accountSeq ? friend : { ...friend, ...account };
}

/** The friend turned out to have come back after an erasure. What was counted before stays counted. */
export function withReturned(friend: Friend): Friend {
  if (friend.returned) return friend;
  return { ...friend, bonus: friend.bonus === 'pending' ? 'refused' : friend.bonus, returned: true };
}

/** The friend has deleted the account: what is held stays held. */
export function withGone(known: Known, standing: Standing): Friend {
  if (known.friend.gone) return known.friend;
  return { ...known.friend, gone: bonusStatus(known, standing) === 'held' ? 'held' : 'free' };
}

/** Ends a friend's hold for good, by an admin. */
export function withRelease(friend: Friend): Friend {
  return friend.released ? friend : { ...friend, released: true };
}

/** What an admin decides about what is held: `hold` takes another decision back. */
export type HoldDecision = 'release' | 'refuse' | 'hold';

/**
 * The friend after an admin's decision. What has been counted or promised by then stays, whatever is decided later.
 */
export function withDecision(friend: Friend, decision: HoldDecision): Friend {
  if (decision === 'release') return withRelease(withoutDecision(friend));
  if (decision === 'hold') return withoutDecision(friend);
  if (countsForNobody(friend)) return friend;
  return { ...withoutDecision(friend), refused: true, bonus: friend.bonus === 'pending' ? 'refused' : friend.bonus };
}

/** Whether the same was decided about two friends. */
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

/** How it stands between a friend and who watches holds; null where nothing is or was held back. */
export type HoldState = 'held' | 'released' | 'refused';

/** Held is what money is kept back of: commission that does not count, or the 86 CORD though the node has run long enough for them. */
export function holdStateOf(known: Known, standing: Standing): HoldState | null {
  const { friend } = known;
  if (friend.refused) return 'refused';
  if (friend.released) return 'released';
  if (countsForNobody(friend) || standing.erased) return null;
  const bonusHeld = isBonusOpen(friend) && bonusStatus(known, standing) === 'held';
  return friend.heldMicro !== undefined || bonusHeld ? 'held' : null;
}

/** Notes that a promised bonus stands in the ledger. */
export function withBonusCredited(friend: Friend): Friend {
  return friend.bonus === 'credited' ? friend : { ...friend, bonus: 'credited' };
}

/**
 * Counts what the friend has earned, as all that decides stands now.
 * @returns the very friend that was given when nothing changes; `bonusDue` when the bonus is to be promised in the same write
 */
export function counted(known: Known, standing: Standing): { friend: Friend; bonusDue: boolean } {
  const { friend } = known;
  if (countsForNobody(friend)) return { friend: withHeld(friend, 0n), bonusDue: false };
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
 * The friend as news of the account would leave it, if they change amounts and nothing else: no bonus, no hold.
 * @returns null when they are to be taken at once
 */
export function aheadOf(known: Known, account: FriendAccount, standing: Standing): Friend | null {
  const { friend, bonusDue } = counted({ ...known, friend: withAccount(known.friend, account) }, standing);
  const sameHold = (friend.heldMicro === undefined) === (known.friend.heldMicro === undefined);
  // While the bonus waits for news of another kind, the record has to hold how long the node has run.
  return bonusDue || !sameHold || isBonusOpen(friend) ? null : friend;
}

/** Whether what counts or is held has changed. */
export function movesAmounts(before: Friend | undefined, after: Friend): boolean {
  return after.countedMicro !== (before?.countedMicro ?? 0n) || after.heldMicro !== before?.heldMicro;
}

function withHeld(friend: Friend, micro: bigint): Friend {
  if ((friend.heldMicro ?? 0n) === micro || (micro < 0n && friend.heldMicro === undefined)) return friend;
  const { heldMicro: _held, ...free } = friend;
  return micro > 0n ? { ...free, heldMicro: micro } : free;
}
