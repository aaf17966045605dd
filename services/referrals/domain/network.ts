import type { Friend } from './bucket.js';

/** Where a user has mined, as node events tell (money.md, Commission: the 86 CORD wait). Keyed hashes only. */
export interface Mined {
  /** Addresses that count, latest last, with the time of the last mining there, ms. */
  addresses: { key: string; atMs: number }[];
  /** The session that was told of last, and the node time in all that it was told with, ms. */
  sessionId: string;
  ranMs: number;
  /** Address of a node that runs; null while none runs or its address does not count. */
  current: string | null;
}

/** A node that started, moved, paused or stopped. */
export interface NodeNews {
  sessionId: string;
  /** Node time of all sessions, ms. */
  ranMs: number;
  /** Credited up to here, ms since epoch. */
  creditedUntilMs: number;
  /** Keyed hash of the address; null where it never counts. */
  addressKey: string | null;
  running: boolean;
}

/** How long an address is held against somebody, ms (decisions, Anti-cheat: 30 days). */
const KEPT_MS = 30 * 86_400_000;
/** Addresses kept of one user: more in 30 days push out the oldest. */
const ADDRESSES_MAX = 16;
/** From this much node time on the level of the network check decides, ms (money.md, Commission). */
const LEVEL_DECIDES_FROM_MS = 3_600_000;

/** Takes over news of a node; older news in another order adds its address and changes nothing else. */
export function withNode(mined: Mined | undefined, node: NodeNews): Mined {
  const isLatest = !mined || node.ranMs >= mined.ranMs;
  const { addressKey: key } = node;
  const before = mined?.addresses ?? [];
  const known = before.find((each) => each.key === key);
  const atMs = Math.max(known?.atMs ?? 0, node.creditedUntilMs);
  const others = before.filter((each) => each.key !== key && each.atMs > node.creditedUntilMs - KEPT_MS);
  const addresses = key === null ? others : [...others, { key, atMs }].sort((a, b) => a.atMs - b.atMs);
  return {
    addresses: addresses.slice(-ADDRESSES_MAX),
    sessionId: isLatest ? node.sessionId : mined.sessionId,
    ranMs: isLatest ? node.ranMs : mined.ranMs,
    current: isLatest ? (node.running ? key : null) : mined.current,
  };
}

/**
 * Whether the 86 CORD for a friend wait: as long as it is not known where the friend has mined up to now; under an hour,
 * while one address is also one where the referrer mined in 30 days; and then until the network check has looked at the
 * hour, so that its level can decide.
 */
export function bonusWaits(
  friend: Pick<Friend, 'ranMs' | 'address' | 'sessionId'>,
  mined: Mined | undefined,
  referrer: Mined | undefined,
  nowMs: number,
): boolean {
  if (!mined) return true;
  const isKnownUpToNow = mined.ranMs >= friend.ranMs || mined.sessionId === friend.sessionId;
  if (!isKnownUpToNow) return true;
  if (!mined.addresses.some(({ key }) => hasMinedAt(referrer, key, nowMs))) return false;
  if (friend.ranMs < LEVEL_DECIDES_FROM_MS) return true;
  return friend.address.key === null && friend.address.hourMined !== true;
}

function hasMinedAt(mined: Mined | undefined, key: string, nowMs: number): boolean {
  if (!mined) return false;
  return mined.current === key || mined.addresses.some((each) => each.key === key && each.atMs > nowMs - KEPT_MS);
}
