import { most } from '@cord/contracts/rules/bonuses';
import { rateNano } from '@cord/contracts/rules/rate';
import { FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { AccountDoc, EpochsDoc } from '../../../services/mining/store/collections.js';

const PLAIN_HUNDREDTHS = 100;
/** Nano-CORD milliseconds a minute in one micro-CORD. */
const UNIT = 60_000_000n;

/** The largest multiplier that the table of epochs has, x 100; at least x1, which holds between epochs. */
export function highestEpoch(table: EpochsDoc | null): bigint {
  return BigInt(
    Math.max(PLAIN_HUNDREDTHS, ...(table?.epochs ?? []).map((epoch) => Number(epoch.multiplierHundredths))),
  );
}

/** What bounds what can have been earned. */
export interface Rules {
  /** The largest multiplier of any epoch, x 100. */
  readonly epochHundredths: bigint;
  readonly books: readonly RuleBook[];
}

/** The rules of the table that the ledger pays by. */
export function rulesOf(table: EpochsDoc | null): Rules {
  return { epochHundredths: highestEpoch(table), books: table?.books ?? FIRST_BOOKS };
}

/**
 * The most that a node of this account can have mined in some node time that ended by then, micro-CORD: its tier, its badge, no penalty, and
 * the best epoch and book there are.
 */
export function mostMined(account: Pick<AccountDoc, 'factors'>, ranMs: number, untilMs: number, rules: Rules): bigint {
  const { discordCreatedAtMs, badge } = account.factors;
  const rate = most(rules.books, (book) => {
    const tier = tierHundredths(book, untilMs - discordCreatedAtMs);
    const { epochHundredths } = rules;
    return rateNano(book, { tierHundredths: tier, antiCheatHundredths: 100n, badge, epochHundredths });
  });
  // What the stretch before left over may come with it.
  return (rate * BigInt(Math.ceil(ranMs))) / UNIT + 1n;
}
