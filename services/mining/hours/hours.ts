import type { HourState } from '@cord/contracts/http/hours';
import { DAY_MS, hourStartMs } from '@cord/contracts/rules/days';

const HOUR_MS = 3_600_000;
/** Maximum number of parts listed for one hour. */
const PARTS_MAX = 24;

/** A time span, ms since epoch; the end is exclusive. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A time span in which a node ran, and how it ended. */
export interface Run extends Span {
  /** Null while the node runs. */
  readonly ended: 'lease-over' | 'stopped' | null;
}

/** Credited mining: a ledger entry, or the open amount. */
export interface Mined {
  /** When it was last earned, ms since epoch. */
  readonly atMs: number;
  readonly amountMicro: bigint;
  /** nano-CORD per minute; null when it was earned at more than one rate. */
  readonly rateNano: bigint | null;
}

/** The part of a rate that the network check left. */
export interface NetworkCut {
  readonly factorHundredths: number;
  /** Number of accounts at the address; null when unknown. */
  readonly accounts: number | null;
}

/** All facts for the hours of one UTC day. Times are ms since epoch; lists are in chronological order. */
export interface DayFacts {
  readonly dayStartMs: number;
  readonly nowMs: number;
  readonly joinedMs: number;
  /** Runs that reach into the day, and the last one before it. They do not overlap. */
  readonly runs: readonly Run[];
  /** Mining of the day, and the first after it. */
  readonly mined: readonly Mined[];
  /** `toMs` is null while an outage lasts. */
  readonly outages: readonly { readonly fromMs: number; readonly toMs: number | null }[];
  /** Spans in which the user was signed in, without overlap. Nothing is known before the first. */
  readonly signIns: readonly Span[];
  /** Returns the cut of the network check for a rate at a time; null without a cut. */
  cutOf(rateNano: bigint, atMs: number): NetworkCut | null;
}

/** A part of an hour in which nothing changed. */
export interface Part extends Span {
  readonly state: HourState;
  readonly sinceMs: number | null;
  /** End of an outage; null while it lasts, and for other states. */
  readonly untilMs: number | null;
  readonly rateNano: bigint | null;
  readonly cut: NetworkCut | null;
}

export interface Hour {
  readonly fromMs: number;
  readonly minedMicro: bigint;
  readonly ranMs: number;
  /** They cover the hour without gaps. */
  readonly parts: readonly Part[];
}

/**
 * Explains the earnings of each of the 24 hours of a UTC day.
 * @param partsMax maximum parts of one hour; an hour with more becomes one part `many-changes`
 */
export function hoursOf(facts: DayFacts, partsMax = PARTS_MAX): Hour[] {
  const minedMicro = new Map<number, bigint>();
  for (const { atMs, amountMicro } of facts.mined) {
    minedMicro.set(hourStartMs(atMs), (minedMicro.get(hourStartMs(atMs)) ?? 0n) + amountMicro);
  }
  const hours = Array.from({ length: DAY_MS / HOUR_MS }, (_, index) => facts.dayStartMs + index * HOUR_MS);
  const edges = edgesOf(facts);
  let next = 0;
  return hours.map((fromMs) => {
    const toMs = fromMs + HOUR_MS;
    const parts: Part[] = [];
    for (let atMs = fromMs; atMs < toMs; ) {
      while ((edges[next] ?? Number.POSITIVE_INFINITY) <= atMs) next += 1;
      const untilMs = Math.min(toMs, edges[next] ?? toMs);
      appendPart(parts, { fromMs: atMs, toMs: untilMs, ...stateAt(facts, atMs) });
      atMs = untilMs;
    }
    const ranMs = parts.reduce((sum, part) => sum + (part.state === 'ran' ? part.toMs - part.fromMs : 0), 0);
    const shown = parts.length > partsMax ? [{ fromMs, toMs, ...hourState('many-changes', null) }] : parts;
    return { fromMs, minedMicro: minedMicro.get(fromMs) ?? 0n, ranMs, parts: shown };
  });
}

/** Returns every moment at which something may change, in order. */
function edgesOf({ nowMs, joinedMs, runs, mined, outages, signIns }: DayFacts): number[] {
  const spans = [...runs, ...signIns, ...outages].flatMap(({ fromMs, toMs }) => [fromMs, toMs ?? nowMs]);
  return [nowMs, joinedMs, ...spans, ...mined.map(miningEnd)].sort((a, b) => a - b);
}

/** Returns the exclusive end of mining: earnings up to the turn of an hour are dated 1 ms before it. */
function miningEnd({ atMs }: Mined): number {
  return hourStartMs(atMs + 1) === atMs + 1 ? atMs + 1 : atMs;
}

type State = Omit<Part, keyof Span>;

const hourState = (state: HourState, sinceMs: number | null, more: Partial<State> = {}): State => ({
  ...{ state, sinceMs, untilMs: null, rateNano: null, cut: null },
  ...more,
});

function stateAt(facts: DayFacts, atMs: number): State {
  const { nowMs, joinedMs, runs, mined, outages, signIns } = facts;
  if (atMs >= nowMs) return hourState('to-come', null);
  if (atMs < joinedMs) return hourState('before-joined', null);
  const run = lastBegun(runs, atMs);
  if (run && atMs < run.toMs) {
    const rateNano = mined[prefixLength(mined, (each) => miningEnd(each) <= atMs)]?.rateNano ?? null;
    return hourState('ran', run.fromMs, { rateNano, cut: rateNano === null ? null : facts.cutOf(rateNano, atMs) });
  }
  const outage = outages.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < (toMs ?? nowMs));
  if (outage) return hourState('outage', outage.fromMs, { untilMs: outage.toMs });
  if (!run) return hourState('not-started', joinedMs);
  const signIn = lastBegun(signIns, atMs);
  // A node that was stopped by its user was stopped before the sign-in ended.
  if (run.ended === 'lease-over' && signIn && signIn.toMs <= atMs) return hourState('no-sign-in', signIn.toMs);
  return hourState(run.ended ?? 'stopped', run.toMs);
}

/** Returns the last span that has begun. */
function lastBegun<S extends Span>(spans: readonly S[], atMs: number): S | undefined {
  return spans[prefixLength(spans, ({ fromMs }) => fromMs <= atMs) - 1];
}

/** Returns the length of the prefix of a list for which a predicate holds. Beyond the prefix it holds for no element. */
function prefixLength<T>(list: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Appends a part; a part equal to the last one extends it. */
function appendPart(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (last && isSame(last, part)) parts[parts.length - 1] = { ...last, toMs: part.toMs };
  else parts.push(part);
}

function isSame(a: State, b: State): boolean {
  return (
    a.state === b.state &&
    a.sinceMs === b.sinceMs &&
    a.untilMs === b.untilMs &&
    a.rateNano === b.rateNano &&
    a.cut?.factorHundredths === b.cut?.factorHundredths &&
    a.cut?.accounts === b.cut?.accounts
  );
}
