import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';
import type { Node, TimeAtAddress } from './account.js';

/** Maximum number of remembered addresses per user, once a node event has published them. */
const ADDRESSES_MAX = 8;
/** Maximum number of addresses with unpublished time. None is forgotten; at this number the next contact publishes at once. */
const UNPUBLISHED_MAX = 16;
/** How long an address is remembered, ms: 30 days. */
const KEPT_MS = 30 * 86_400_000;
/** Minimum interval at which a running session publishes a new address, and the time at the current one, ms. */
const PUBLISH_MOVE_MS = 600_000;
const PUBLISH_AGAIN_MS = 3_600_000;

/**
 * Adds a span to the node's time by address, for the address of the preceding contact. A forgotten address that returns
 * begins a new count, distinguished by `fromRanMs`.
 */
export function addTime(node: Node, ms: number, toMs: number): readonly TimeAtAddress[] {
  const known = (node.addresses ?? []).filter(({ atMs }) => toMs - atMs < KEPT_MS);
  const hash = node.addressHash;
  if (hash === null) return known;
  const before = known.find((at) => at.hash === hash);
  const others = known.filter((at) => at.hash !== hash);
  const present = { fromRanMs: node.ranMs, ...before, hash, ms: (before?.ms ?? 0) + ms, atMs: toMs };
  return [...addressesToKeep(others, node), present].slice(-UNPUBLISHED_MAX);
}

/** Returns the other addresses to keep: above the maximum, the oldest are dropped, unless their time is unpublished. */
function addressesToKeep(others: readonly TimeAtAddress[], node: Node): readonly TimeAtAddress[] {
  const tooMany = Math.max(0, others.length + 1 - ADDRESSES_MAX);
  const gone = new Set(others.filter((at) => !isUnpublished(at, node)).slice(0, tooMany));
  return others.filter((at) => !gone.has(at));
}

function isUnpublished({ atMs }: TimeAtAddress, { published }: Node): boolean {
  return published === undefined || atMs > published.atMs;
}

/**
 * Returns when a stopped node must forget its addresses, ms; null for a running node, or without addresses. A running
 * node forgets them with each span.
 */
export function forgetsAtMs({ status, addressHash, addresses = [], lastAtMs }: Node): number | null {
  if (status === 'active' || (addressHash === null && addresses.length === 0)) return null;
  return lastAtMs + KEPT_MS;
}

/** Returns the node without its addresses and without the address of its last event. */
export function withoutAddresses({ published, ...node }: Node): Node {
  const carried = published ? { published: { ...published, addressHash: null } } : {};
  return { ...node, addressHash: null, addresses: [], ...carried };
}

/**
 * Returns whether a running node must publish its addresses: a session can run forever, and the network check reads only node events.
 * At once when the next address could evict unpublished time. Also once, with or without addresses, after the node time at which a
 * referrer's bonus is due: the bonus waits for that event (services/contracts/rules/README.md#commission-and-referral-bonuses).
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
