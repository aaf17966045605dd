import type { Line } from '@cord/deploy/store/registry.mjs';
import type { Count, Counts } from './counts.js';

/** How many visits there must be, and how many of them with an error, before anything is said of a version. */
interface Enough {
  visits: number;
  failed: number;
}

export interface WatchBounds {
  /** How far back visits count, ms. */
  windowMs: number;
  /** Its rate of visits with an error is at least so many times the other's. */
  times: number;
  canary: Enough;
  /** A new version is watched for so long after the switch to it, ms; a module that is broken for everybody is so from the first visits on. */
  first: Enough & { ms: number };
  /** Visits of one version that one address on the internet counts for within the window: nobody alone takes a version back. */
  perAddress: number;
}

export const WATCH_BOUNDS: WatchBounds = {
  windowMs: 600_000,
  times: 2,
  canary: { visits: 20, failed: 5 },
  first: { ms: 60_000, visits: 8, failed: 5 },
  perAddress: 1,
};

/** What is to be done about a line, and the numbers that say so. */
export interface Verdict {
  act: 'take-back' | 'end-canary';
  why: string;
}

/** Whether somebody looks at a line at this time: it has a canary, or is the switch to a version of less than a minute ago. */
export function isWatched(line: Line, nowMs: number, bounds: WatchBounds): boolean {
  return Boolean(line.canary) || isFresh(line, nowMs, bounds);
}

/**
 * What the visits of late say of the newest line of a module; undefined where there is nothing to say against it.
 * A canary ends when its rate of visits with an error is twice that of what is in use; the switch to a new version is taken back when its rate in
 * the first minute is twice that of the version before, which was in use for most of the window.
 */
export function judge(
  name: string,
  line: Line,
  counts: Pick<Counts, 'since'>,
  nowMs: number,
  bounds: WatchBounds,
): Verdict | undefined {
  const sinceMs = Date.parse(line.when);
  const { version, from, canary } = line;
  if (canary) {
    const its = counts.since(name, canary.version, sinceMs, nowMs);
    const others = counts.since(name, version, sinceMs, nowMs);
    if (!isWorse(its, others, bounds.canary, bounds.times)) return undefined;
    return { act: 'end-canary', why: `${share(its)} with an error, ${share(others)} of ${version}` };
  }
  if (!from || !isFresh(line, nowMs, bounds)) return undefined;
  const its = counts.since(name, version, sinceMs, nowMs);
  const before = counts.since(name, from, 0, nowMs);
  if (!isWorse(its, before, bounds.first, bounds.times)) return undefined;
  return { act: 'take-back', why: `its first minute: ${share(its)} with an error, ${share(before)} of ${from}` };
}

/** A rollback is no new version: what it goes back to was in use. */
function isFresh({ action, from, when }: Line, nowMs: number, { first }: WatchBounds): boolean {
  return (action === 'publish' || action === 'promote') && from !== null && nowMs - Date.parse(when) < first.ms;
}

function isWorse(its: Count, other: Count, enough: Enough, times: number): boolean {
  if (its.visits < enough.visits || its.failed < enough.failed) return false;
  const otherRate = other.visits === 0 ? 0 : other.failed / other.visits;
  return its.failed / its.visits >= times * otherRate;
}

function share({ visits, failed }: Count): string {
  return `${failed} of ${visits} visits`;
}
