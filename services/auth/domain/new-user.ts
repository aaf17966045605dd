import { ageTenths } from '@cord/contracts/rules/age';
import { welcomeMicro } from '@cord/contracts/rules/bonuses';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';

/** The welcome credit of a newcomer: key and amount are stored before the first try and never change (services/mining/ledger/README.md#credit). */
interface WelcomeCredit {
  key: string;
  amountMicro: bigint;
}

/** The welcome credit by the displayed age and its tier. */
export function welcomeCredit(
  book: RuleBook,
  userId: string,
  discordCreatedAtMs: number,
  nowMs: number,
): WelcomeCredit {
  const tier = tierHundredths(book, nowMs - discordCreatedAtMs);
  return { key: `welcome:${userId}`, amountMicro: welcomeMicro(ageTenths(discordCreatedAtMs, nowMs), tier) };
}
