import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';
import type { Node, TimeAtAddress } from './account.js';

/** Addresses that are remembered of one user, once a node event has carried them. */
const ADDRESSES_MAX = 8;
/** Addresses with time that no node event has carried yet: none of them is forgotten, and so many make the next contact publish at once. */
const UNPUBLISHED_MAX = 16;
/** How long an address is remembered: 30 days. */
const KEPT_MS = 30 * 86_400_000;
/** A running session publishes a new address, and the time at the present one, at most this often. */
const PUBLISH_MOVE_MS = 600_000;
const PUBLISH_AGAIN_MS = 3_600_000;

/**
 * The node's time by address with a stretch more, credited where the last contact before it came from. An address that was forgotten and comes
 * back begins a new count, which `fromRanMs` distinguishes from the former one.
 */
export function withTime(node: Node, ms: number, toMs: number): readonly TimeAtAddress[] {
  const known = (node.addresses ?? []).filter(({ atMs }) => toMs - atMs < KEPT_MS);
  const hash = node.addressHash;
  if (hash === null) return known;
  const before = known.find((at) => at.hash === hash);
  const others = known.filter((at) => at.hash !== hash);
  const present = { fromRanMs: node.ranMs, ...before, hash, ms: (before?.ms ?? 0) + ms, atMs: toMs };
  return [...remembered(others, node), present].slice(-UNPUBLISHED_MAX);
}

/** The others beside the present address: of too many the oldest go, unless their time has not been published. */
function remembered(others: readonly TimeAtAddress[], node: Node): readonly TimeAtAddress[] {
  const tooMany = Math.max(0, others.length + 1 - ADDRESSES_MAX);
  const gone = new Set(others.filter((at) => !isUnpublished(at, node)).slice(0, tooMany));
  return others.filter((at) => !gone.has(at));
}

function isUnpublished({ atMs }: TimeAtAddress, { published }: Node): boolean {
  return published === undefined || atMs > published.atMs;
}

/**
 * From when on a node that does not run is to forget where it was, ms; null for one that runs, or has nothing to forget. One
 * that runs forgets by itself with each stretch.
 */
export function forgetsAtMs({ status, addressHash, addresses = [], lastAtMs }: Node): number | null {
  if (status === 'active' || (addressHash === null && addresses.length === 0)) return null;
  return lastAtMs + KEPT_MS;
}

/** A node that knows no address any more, nor which one its last event has carried. */
export function withoutAddresses({ published, ...node }: Node): Node {
  const carried = published ? { published: { ...published, addressHash: null } } : {};
  return { ...node, addressHash: null, addresses: [], ...carried };
}

/**
 * Whether a running node has to publish its addresses: a session may run for ever by its saves, and the network check
 * reads nothing but node events. At once when the next address could push out time that none has carried. Once after the node time at which a referrer's bonus falls due, whatever the
 * addresses: the bonus waits for that news (services/contracts/rules/README.md#commission-and-referral-bonuses).
 */
export function mustPublish(node: Node, nowMs: number): boolean {
  const { addressHash, published, startedAtMs, addresses = [], ranMs, sessionMs } = node;
  const publishedRanMs = published?.ranMs ?? ranMs - sessionMs;
  if (ranMs >= REFERRER_BONUS_AFTER_MS && publishedRanMs < REFERRER_BONUS_AFTER_MS) return true;
  if (addressHash === null && addresses.length === 0) return false;
  if (addresses.filter((at) => isUnpublished(at, node)).length >= UNPUBLISHED_MAX) return true;
  const atMs = published?.atMs ?? startedAtMs;
  const moved = published !== undefined && published.addressHash !== addressHash;
  return nowMs - atMs >= (moved ? PUBLISH_MOVE_MS : PUBLISH_AGAIN_MS);
}
