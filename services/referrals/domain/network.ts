import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';

/** A user's address in the network check. */
export interface Address {
  /** Opaque key of the address; null without one. */
  key: string | null;
  level: number;
  /** Whether the check has evaluated a whole hour of mining. */
  hourMined?: boolean;
  /** The key was removed by an import: the address is unknown until the check sends one. Otherwise absent. */
  unknown?: true;
  /** Version of the assessment it came from; absent before the first. */
  seq?: bigint;
}

/** Whether an assessment is older than the stored one. */
export function isOlder(assessed: Address, known: Address): boolean {
  return assessed.seq !== undefined && known.seq !== undefined && assessed.seq < known.seq;
}

/** Whether two addresses are equal to the network check. */
export function sameAddress(one: Address, other: Address): boolean {
  return one.key === other.key && one.level === other.level && (one.hourMined ?? false) === (other.hourMined ?? false);
}

/** Returns the address of the newest event, with the fields of a newer release. An unknown one stays unknown until a key arrives. */
export function withAddress({ hourMined: _before, unknown, ...kept }: Address, latest: Address): Address {
  return { ...kept, ...latest, ...(unknown && latest.key === null ? { unknown } : {}) };
}

/** Returns the addresses at which friends must be counted again: the former and the new one, and those still pending; true: all. */
export function keysOf(before: Address, after: Address, stillDue: true | readonly string[] = []): true | string[] {
  // Friends at the unknown address cannot be identified.
  if (stillDue === true || before.unknown) return true;
  return [...new Set([...stillDue, before.key, after.key])].filter((key) => key !== null);
}

/** The addresses where a user mined, from node events (services/contracts/rules/README.md#commission-and-referral-bonuses). Keyed hashes only. */
export interface Mined {
  /** Relevant addresses, latest last: last published node time there, and the time of the last mining, ms. */
  addresses: { key: string; ms: number; atMs: number; fromRanMs?: number }[];
  /** Total published node time, ms: up to it the node's addresses are known. */
  ranMs: number;
  /** Version of the account in the last event. */
  seq: bigint;
  /** Address of the running node; null while none runs or its address is not relevant. */
  current: string | null;
}

/** An event of a node that started, continued, paused or stopped. */
export interface NodeEvent {
  /** Version of the account in the event. */
  seq: bigint;
  /** Node time of all sessions, ms. */
  ranMs: number;
  /** End of the credited time, ms since epoch. */
  creditedUntilMs: number;
  /** Node time of all sessions by keyed address hash, ms, and the node time at which that count began; only relevant addresses. */
  times: readonly { key: string; ms: number; fromRanMs?: number | undefined }[];
  /** The user's last address; null when it is not relevant. */
  seenAt: string | null;
  running: boolean;
}

/** How long an address is held against a user, ms (services/contracts/rules/README.md#network-check). */
const KEPT_MS = 30 * 86_400_000;
/** Maximum number of addresses kept per user: more in 30 days replace the oldest. */
const ADDRESSES_MAX = 16;
/** Node time from which the level of the network check decides, ms. */
const LEVEL_DECIDES_FROM_MS = 3_600_000;

/** Stores a node event; an older event only adds unknown addresses. */
export function withNode(mined: Mined | undefined, node: NodeEvent): Mined {
  const before = new Map((mined?.addresses ?? []).map((each) => [each.key, each]));
  // A start and an immediate stop have the same node time: the account version decides which was last.
  const isLatest = !mined || node.seq >= mined.seq;
  for (const { key, ms, fromRanMs } of node.times) {
    const known = before.get(key);
    if (known && (!isLatest || (known.ms === ms && known.fromRanMs === fromRanMs))) continue;
    const atMs = Math.max(node.creditedUntilMs, known?.atMs ?? 0);
    if (ms > 0) before.set(key, { ...known, key, ms, atMs, ...(fromRanMs === undefined ? {} : { fromRanMs }) });
  }
  const addresses = [...before.values()]
    .filter(({ atMs }) => atMs > node.creditedUntilMs - KEPT_MS)
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-ADDRESSES_MAX);
  if (!isLatest) return { ...mined, addresses };
  return { ...mined, addresses, ranMs: node.ranMs, seq: node.seq, current: node.running ? node.seenAt : null };
}

/**
 * Whether the 86 CORD for a friend must wait: until the addresses of the first ten minutes are known; below one hour,
 * while the referrer mined at one of them within 30 days; then until the network check has evaluated the hour, so
 * that its level can decide.
 */
export function bonusWaits(
  friend: { ranMs: number; address: Address },
  mined: Mined | undefined,
  referrer: Mined | undefined,
  nowMs: number,
): boolean {
  if (!mined || mined.ranMs < REFERRER_BONUS_AFTER_MS) return true;
  if (!mined.addresses.some(({ key }) => hasMinedAt(referrer, key, nowMs))) return false;
  if (friend.ranMs < LEVEL_DECIDES_FROM_MS) return true;
  return friend.address.key === null && friend.address.hourMined !== true;
}

/**
 * Returns when the wait for a shared address ends if neither mines there any more, ms since epoch; undefined when
 * there is no such wait. No event of the friend arrives then, so the record is marked with this time.
 */
export function waitEndsAtMs(mined: Mined | undefined, referrer: Mined | undefined, nowMs: number): number | undefined {
  const ends = (mined?.addresses ?? [])
    .filter(({ key }) => hasMinedAt(referrer, key, nowMs))
    .map(({ key }) => {
      const lastMs = referrer?.addresses.find((each) => each.key === key)?.atMs ?? 0;
      return KEPT_MS + (referrer?.current === key ? Math.max(nowMs, lastMs) : lastMs);
    });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function hasMinedAt(mined: Mined | undefined, key: string, nowMs: number): boolean {
  if (!mined) return false;
  return mined.current === key || mined.addresses.some((each) => each.key === key && each.atMs > nowMs - KEPT_MS);
}
