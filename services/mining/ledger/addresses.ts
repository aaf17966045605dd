import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';
import type { Node, TimeAtAddress } from './account.js';

/** Addresses that are remembered of one user. */
const ADDRESSES_MAX = 8;
/** How long an address is remembered (decisions, Security and money: keyed hash, 30 days). */
const KEPT_MS = 30 * 86_400_000;
/** A running session tells of a new address, and of the time at the present one, at most this often. */
const TELL_MOVE_MS = 600_000;
const TELL_AGAIN_MS = 3_600_000;

/** The node's time by address with a stretch more, credited where the last contact before it came from. */
export function withTime(node: Node, ms: number, toMs: number): readonly TimeAtAddress[] {
  const known = (node.addresses ?? []).filter(({ atMs }) => toMs - atMs < KEPT_MS);
  const hash = node.addressHash;
  if (hash === null) return known;
  const before = known.find((at) => at.hash === hash);
  const others = known.filter((at) => at.hash !== hash);
  return [...others.slice(1 - ADDRESSES_MAX), { ...before, hash, ms: (before?.ms ?? 0) + ms, atMs: toMs }];
}

/**
 * From when on a node that does not run is to forget where it was, ms; null for one that runs, or has nothing to forget. One
 * that runs forgets by itself with each stretch.
 */
export function forgetsAtMs({ status, addressHash, addresses = [], lastAtMs }: Node): number | null {
  if (status === 'active' || (addressHash === null && addresses.length === 0)) return null;
  return lastAtMs + KEPT_MS;
}

/**
 * Whether a running node has to tell of its addresses: a session may run for ever by its saves, and the network check
 * hears of nothing but node events. Once after the node time at which a referrer's bonus falls due, whatever the
 * addresses: the bonus waits for that news (money.md, Commission).
 */
export function mustTell(node: Node, nowMs: number): boolean {
  const { addressHash, told, startedAtMs, addresses = [], ranMs, sessionMs } = node;
  const toldRanMs = told?.ranMs ?? ranMs - sessionMs;
  if (ranMs >= REFERRER_BONUS_AFTER_MS && toldRanMs < REFERRER_BONUS_AFTER_MS) return true;
  if (addressHash === null && addresses.length === 0) return false;
  const atMs = told?.atMs ?? startedAtMs;
  const moved = told !== undefined && told.addressHash !== addressHash;
  return nowMs - atMs >= (moved ? TELL_MOVE_MS : TELL_AGAIN_MS);
}
