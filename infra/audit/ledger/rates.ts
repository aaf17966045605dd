import { most } from '@cord/contracts/rules/bonuses';
import { rateNano } from '@cord/contracts/rules/rate';
import { FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { AccountDoc, EpochsDoc } from '../../../services/mining/store/collections.js';

const PLAIN_HUNDREDTHS = 100;
/** Converts nano-CORD per minute times ms into micro-CORD. */
const UNIT = 60_000_000n;

/** Returns the largest multiplier in the table of epochs, x 100; at least x1, which applies between epochs. */
export function highestEpoch(table: EpochsDoc | null): bigint {
  return BigInt(
    Math.max(PLAIN_HUNDREDTHS, ...(table?.epochs ?? []).map((epoch) => Number(epoch.multiplierHundredths))),
  );
}

/** The rules that bound earnings. */
export interface Rules {
  /** The largest multiplier of any epoch, x 100. */
  readonly epochHundredths: bigint;
  readonly books: readonly RuleBook[];
}

/** Returns the rules of the table used by the ledger. */
export function rulesOf(table: EpochsDoc | null): Rules {
  return { epochHundredths: highestEpoch(table), books: table?.books ?? FIRST_BOOKS };
}

/**
 * Returns the most that a node can have mined in a node time ending by then, micro-CORD: with its tier and badge, no
 * penalty, and the best epoch and book.
 */
export function mostMined(account: Pick<AccountDoc, 'factors'>, ranMs: number, untilMs: number, rules: Rules): bigint {
  const { discordCreatedAtMs, badge } = account.factors;
  const rate = most(rules.books, (book) => {
    const tier = tierHundredths(book, untilMs - discordCreatedAtMs);
    const { epochHundredths } = rules;
    return rateNano(book, { tierHundredths: tier, antiCheatHundredths: 100n, badge, epochHundredths });
  });
  // A remainder of the previous period may be added.
  return (rate * BigInt(Math.ceil(ranMs))) / UNIT + 1n;
}
