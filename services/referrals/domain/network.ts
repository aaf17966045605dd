import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';

/** Where a user counts in the network check. */
export interface Address {
  /** Opaque key of the address; null while none counts. */
  key: string | null;
  level: number;
  /** The check has looked at a whole hour of mining. */
  hourMined?: boolean;
  /** An import has removed the key: whether one counts is not known until the check sends one. Absent else. */
  unknown?: true;
  /** Version of the assessment that it comes from; absent before the first. */
  seq?: bigint;
}

/** Whether an assessment is older than the one that is known. */
export function isOlder(assessed: Address, known: Address): boolean {
  return assessed.seq !== undefined && known.seq !== undefined && assessed.seq < known.seq;
}

/** Whether two agree on where a user counts. */
export function sameAddress(one: Address, other: Address): boolean {
  return one.key === other.key && one.level === other.level && (one.hourMined ?? false) === (other.hourMined ?? false);
}

/** The address of the newest event; what a newer release keeps beside it stays. One that is unknown stays so until a key comes. */
export function withAddress({ hourMined: _before, unknown, ...kept }: Address, latest: Address): Address {
  return { ...kept, ...latest, ...(unknown && latest.key === null ? { unknown } : {}) };
}

/** Where friends are to be counted again: at the address that was and at the new one, and what is still to be done. */
export function keysOf(before: Address, after: Address, stillDue: true | readonly string[] = []): true | string[] {
  // Friends were at the address that is not known, and nothing shows which.
  if (stillDue === true || before.unknown) return true;
  return [...new Set([...stillDue, before.key, after.key])].filter((key) => key !== null);
}

/** Where a user has mined, from node events (services/contracts/rules/README.md#commission-and-referral-bonuses). Keyed hashes only. */
export interface Mined {
  /** Addresses that count, latest last: node time there as published last, and the time of the last mining, ms. */
  addresses: { key: string; ms: number; atMs: number; fromRanMs?: number }[];
  /** Total node time that was published, ms: up to there it is known where the node was. */
  ranMs: number;
  /** Version of the account in the last event. */
  seq: bigint;
  /** Address of a node that runs; null while none runs or its address does not count. */
  current: string | null;
}

/** A node that started, runs on, paused or stopped. */
export interface NodeNews {
  /** Version of the account in the event. */
  seq: bigint;
  /** Node time of all sessions, ms. */
  ranMs: number;
  /** Credited up to here, ms since epoch. */
  creditedUntilMs: number;
  /** Node time of all sessions by keyed hash of the address, ms, and the node's time when that count began; only addresses that count. */
  times: readonly { key: string; ms: number; fromRanMs?: number | undefined }[];
  /** Where the user was seen last; null where no address counts. */
  seenAt: string | null;
  running: boolean;
}

/** How long an address counts against a user, ms (services/contracts/rules/README.md#network-check). */
const KEPT_MS = 30 * 86_400_000;
/** Addresses kept of one user: more in 30 days push out the oldest. */
const ADDRESSES_MAX = 16;
/** From this much node time on the level of the network check decides, ms. */
const LEVEL_DECIDES_FROM_MS = 3_600_000;

/** Takes over news of a node; older news adds what is not known of its addresses and changes nothing else. */
export function withNode(mined: Mined | undefined, node: NodeNews): Mined {
  const before = new Map((mined?.addresses ?? []).map((each) => [each.key, each]));
  // A start and a stop at once have the same node time: the version of the account decides which came last.
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
 * Whether the 86 CORD for a friend wait: as long as it is not known where the first ten minutes were mined; under an hour,
 * while one address is also one where the referrer mined in 30 days; and then until the network check has looked at the
 * hour, so that its level can decide.
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
 * When a wait for an address of both is over if neither mines there any more, ms since epoch; undefined where none is the reason. No event of the
 * friend comes then: the record is marked with this time.
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
