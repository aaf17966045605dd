import type { EpochRow } from '@cord/contracts/events/rewards';
import type { EpochPreview } from '@cord/contracts/http/epochs';
import type { runningRpc } from '@cord/contracts/rpc/ledger';
import { DAY_MS } from '@cord/contracts/rules/days';
import { epochAt } from '@cord/contracts/rules/epochs';
import { microToNumber } from '@cord/contracts/rules/money';
import { rateNano, rateToNumber } from '@cord/contracts/rules/rate';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import type { z } from 'zod';

type Rows = readonly EpochRow[];
/** The running nodes, from mining's response. */
type Running = z.output<typeof runningRpc.reply>;

const MINUTE_MS = 60_000;
const PLAIN_HUNDREDTHS = 100;
const NANO_IN_MICRO = 1_000n;

/** A time span in which two tables pay different multipliers. */
export interface Span {
  fromMs: number;
  toMs: number;
  beforeHundredths: number;
  afterHundredths: number;
}

/** Returns the future spans in which two tables differ, in order; equal neighbours are merged. */
export function spansOf(before: Rows, after: Rows, nowMs: number): Span[] {
  const turns = [...before, ...after].flatMap(({ startAt, endAt }) => [startAt, endAt]).filter((atMs) => atMs > nowMs);
  const moments = [nowMs, ...new Set(turns)].sort((a, b) => a - b);
  const spans: Span[] = [];
  for (const [index, fromMs] of moments.entries()) {
    const toMs = moments[index + 1];
    const [beforeHundredths, afterHundredths] = [multiplierAt(before, fromMs), multiplierAt(after, fromMs)];
    if (toMs === undefined || beforeHundredths === afterHundredths) continue;
    const last = spans.at(-1);
    const continuesLast =
      last?.toMs === fromMs && last.beforeHundredths === beforeHundredths && last.afterHundredths === afterHundredths;
    if (last && continuesLast) last.toMs = toMs;
    else spans.push({ fromMs, toMs, beforeHundredths, afterHundredths });
  }
  return spans;
}

/** Returns the multiplier x 100 in force at a time; 100 between epochs. */
function multiplierAt(epochs: Rows, atMs: number): number {
  return epochAt(epochs, atMs)?.multiplierHundredths ?? PLAIN_HUNDREDTHS;
}

/** A change of the table, and the time and rules that it is compared by. */
export interface Change {
  before: Rows;
  after: Rows;
  spans: readonly Span[];
  /** When it takes effect, ms; tiers and rates are compared at this time. */
  atMs: number;
  nowMs: number;
  /** The rule book in force at that time. */
  book: RuleBook;
}

/**
 * Returns rates and CORD per day before and after a change, computed from the running nodes by the rate function (services/mining/ledger/README.md#accrual).
 * It assumes that every node runs all the time, at its tier when the change takes effect. A sample is scaled up to all nodes.
 */
export function previewOf({ before, after, spans, atMs, nowMs, book }: Change, running: Running): EpochPreview {
  const nanoAt = (hundredths: number) => nanoPerMinute(book, running, hundredths);
  const microIn = (nano: bigint, ms: number) => (nano * BigInt(ms)) / BigInt(MINUTE_MS) / NANO_IN_MICRO;
  const cordIn = (hundredths: number, ms: number) => microToNumber(microIn(nanoAt(hundredths), ms));
  const added = spans.map(({ fromMs, toMs, beforeHundredths, afterHundredths }) =>
    microIn(nanoAt(afterHundredths) - nanoAt(beforeHundredths), toMs - fromMs),
  );
  const [now, was, is] = [multiplierAt(before, nowMs), multiplierAt(before, atMs), multiplierAt(after, atMs)];
  return {
    nodes: running.running,
    sampled: running.sampled,
    isWhole: running.isWhole,
    multiplierNow: now / 100,
    tiers: book.tiers.map(({ fromYears, hundredths }) => {
      const tierHundredths = BigInt(hundredths);
      const plain = { tierHundredths, antiCheatHundredths: 100n, badge: false };
      const rateAt = (times: number) => rateToNumber(rateNano(book, { ...plain, epochHundredths: BigInt(times) }));
      const inTier = running.groups.filter((group) => BigInt(group.tierHundredths) === tierHundredths);
      return {
        fromYears,
        multiplier: hundredths / 100,
        nodes: ofAll(
          running,
          inTier.reduce((sum, { nodes }) => sum + nodes, 0),
        ),
        rateNow: rateAt(now),
        rateBefore: rateAt(was),
        rateAfter: rateAt(is),
      };
    }),
    spans: spans.map(({ fromMs, toMs, beforeHundredths, afterHundredths }) => ({
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      multiplierBefore: beforeHundredths / 100,
      multiplierAfter: afterHundredths / 100,
      perDayBefore: cordIn(beforeHundredths, DAY_MS),
      perDayAfter: cordIn(afterHundredths, DAY_MS),
    })),
    adds: microToNumber(added.reduce((sum, micro) => sum + micro, 0n)),
    highestRate: rateToNumber(
      rateNano(book, {
        tierHundredths: BigInt(book.tiers.at(-1)?.hundredths ?? 0),
        antiCheatHundredths: 100n,
        badge: true,
        epochHundredths: BigInt(is),
      }),
    ),
  };
}

/** Returns the earnings of all running nodes, nano-CORD per minute; a sample is scaled up. */
function nanoPerMinute(book: RuleBook, { groups, running, sampled }: Running, epochHundredths: number): bigint {
  const nano = groups.reduce((sum, { tierHundredths, antiCheatHundredths, badge, nodes }) => {
    const factors = {
      tierHundredths: BigInt(tierHundredths),
      antiCheatHundredths: BigInt(antiCheatHundredths),
      badge,
      epochHundredths: BigInt(epochHundredths),
    };
    return sum + rateNano(book, factors) * BigInt(nodes);
  }, 0n);
  return sampled === 0 ? 0n : (nano * BigInt(running)) / BigInt(sampled);
}

/** Scales a number of sampled nodes up to all running nodes. */
function ofAll({ running, sampled }: Running, nodes: number): number {
  return sampled === 0 ? 0 : Math.round((nodes * running) / sampled);
}
