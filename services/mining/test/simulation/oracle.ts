import { RANKED_SOURCES } from '@cord/contracts/events/balance';
import { dayKey, monthKey, weekKey } from '@cord/contracts/rules/days';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import type { Account, Factors } from '../../ledger/account.js';
import { type EpochTable, epochAt } from '../../ledger/epochs.js';

const UNIT = 60_000_000n;
const HOUR_MS = 3_600_000;
/** Sources that accrue: their entries close open amounts. */
const SERIES: ReadonlySet<string> = new Set(['mining', 'commission']);

/** The unwritten contact before a write. */
export interface Contacted {
  /** End of the lease that it has renewed, ms; 0 without one. */
  readonly renewedUntilMs: number;
  /** Time to which the write settles the node, ms. */
  readonly settledMs: number;
}

interface PeriodSum {
  key: string;
  miningBaseMicro: bigint;
  creditsMicro: bigint;
}

/**
 * Computes independently, from each applied write, what one account must hold: the rate summed over the node's time as
 * one integer, floored once. It shares no arithmetic with the ledger except the tables of epochs and books.
 */
export class Oracle {
  private units = 0n;
  private readonly periods: Record<'day' | 'week' | 'month', PeriodSum> = {
    day: { key: '', miningBaseMicro: 0n, creditsMicro: 0n },
    week: { key: '', miningBaseMicro: 0n, creditsMicro: 0n },
    month: { key: '', miningBaseMicro: 0n, creditsMicro: 0n },
  };

  /** Follows one applied write. @returns its errors */
  follow(before: Account, after: Account, nowMs: number, epochs: EpochTable, node: Contacted): string[] {
    const wrong: string[] = [];
    const check = (holds: boolean, what: string) => {
      if (!holds) wrong.push(what);
    };
    check(after.seq > before.seq, `seq went from ${before.seq} to ${after.seq}`);
    check(after.factors.antiCheatSeq >= before.factors.antiCheatSeq, 'an older assessment took effect');
    check(after.node.lastAtMs >= before.node.lastAtMs, 'lastAt moved back');
    this.mine(before, epochs, node);
    const minedMicro = after.totals.bySource.mining ?? 0n;
    check(minedMicro === this.units / UNIT, `mined ${minedMicro}, expected ${this.units / UNIT}`);
    check(after.node.carry === this.units % UNIT, `carry ${after.node.carry}, expected ${this.units % UNIT}`);
    this.creditsOf(before, after);
    this.commissionOf(before, after, nowMs, check);
    for (const name of ['day', 'week', 'month'] as const) {
      const sum = this.periods[name];
      if (sum.key === '') continue;
      const dueMicro = this.units / UNIT - sum.miningBaseMicro + sum.creditsMicro;
      const period = after.totals[name];
      check(period.key === sum.key, `${name} is ${period.key}, expected ${sum.key}`);
      check(period.micro === dueMicro, `${name} total ${period.micro}, expected ${dueMicro}`);
    }
    return wrong;
  }

  /** Returns the mining of an account up to a time within its lease if it were written then, micro-CORD. */
  minedBy(stored: Account, nowMs: number, epochs: EpochTable): bigint {
    const toMs = Math.max(stored.node.lastAtMs, nowMs);
    const cuts = cutsBetween(stored.node.lastAtMs, toMs, stored.factors, epochs);
    const units = cuts.slice(1).map((untilMs, index) => {
      const fromMs = cuts[index] ?? untilMs;
      return unitsPerMs(stored.factors, epochs, fromMs) * BigInt(untilMs - fromMs);
    });
    return units.reduce((sum, more) => sum + more, this.units) / UNIT;
  }

  private mine(before: Account, epochs: EpochTable, { renewedUntilMs, settledMs }: Contacted): void {
    if (before.node.status !== 'active') return;
    const leaseUntilMs = Math.max(before.node.leaseUntilMs, renewedUntilMs);
    const toMs = Math.max(before.node.lastAtMs, Math.min(settledMs, leaseUntilMs));
    const cuts = cutsBetween(before.node.lastAtMs, toMs, before.factors, epochs);
    for (const [index, fromMs] of cuts.entries()) {
      const untilMs = cuts[index + 1];
      if (untilMs === undefined) break;
      this.turn(fromMs);
      this.units += unitsPerMs(before.factors, epochs, fromMs) * BigInt(untilMs - fromMs);
    }
  }

  private creditsOf(before: Account, after: Account): void {
    for (const item of after.outbox) {
      if (item.kind !== 'entry' || item.seq <= before.seq || SERIES.has(item.entry.source)) continue;
      this.turn(item.entry.atMs);
      if (!RANKED_SOURCES.includes(item.entry.source)) continue;
      for (const sum of Object.values(this.periods)) sum.creditsMicro += item.entry.amountMicro;
    }
  }

  /** Commission is a total that only rises; its entries close it and add nothing. */
  private commissionOf(before: Account, after: Account, nowMs: number, check: (holds: boolean, what: string) => void) {
    const addedMicro = (after.totals.bySource.commission ?? 0n) - (before.totals.bySource.commission ?? 0n);
    check(addedMicro >= 0n, `commission fell by ${-addedMicro}`);
    if (addedMicro === 0n) return;
    this.turn(nowMs);
    for (const sum of Object.values(this.periods)) sum.creditsMicro += addedMicro;
  }

  private turn(ms: number): void {
    const keys = { day: dayKey(ms), week: weekKey(ms), month: monthKey(ms) };
    for (const name of ['day', 'week', 'month'] as const) {
      if (keys[name] <= this.periods[name].key) continue;
      this.periods[name] = { key: keys[name], miningBaseMicro: this.units / UNIT, creditsMicro: 0n };
    }
  }
}

/** An independent implementation of the rate in nano-CORD per minute: 0.5 x tier x anti-cheat x 1.05 x epoch. */
function unitsPerMs(factors: Factors, epochs: EpochTable, ms: number): bigint {
  const years = (ms - factors.discordCreatedAtMs) / YEAR_MS;
  // The last book that has begun: computed without `bookAt`, which is under test.
  let book = epochs.books[0] as RuleBook;
  for (const each of epochs.books) if (each.fromMs <= ms) book = each;
  const tier = BigInt(book.tiers.filter((step) => years >= step.fromYears).at(-1)?.hundredths ?? 100);
  const badge = factors.badge ? BigInt(book.badgeHundredths) : 100n;
  const base = BigInt(book.baseNano);
  return (base * tier * factors.antiCheatHundredths * badge * epochAt(epochs, ms).hundredths) / 100_000_000n;
}

function cutsBetween(fromMs: number, toMs: number, factors: Factors, epochs: EpochTable): number[] {
  const cuts = new Set<number>([fromMs, toMs]);
  for (const span of epochs.spans) cuts.add(span.startMs).add(span.endMs);
  for (const { fromMs: changeMs, tiers } of epochs.books) {
    cuts.add(changeMs);
    for (const { fromYears } of tiers) cuts.add(factors.discordCreatedAtMs + fromYears * YEAR_MS);
  }
  for (let ms = Math.ceil(fromMs / HOUR_MS) * HOUR_MS; ms < toMs; ms += HOUR_MS) cuts.add(ms);
  return [...cuts].filter((ms) => ms >= fromMs && ms <= toMs).sort((a, b) => a - b);
}
