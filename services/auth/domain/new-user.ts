import { ageTenths } from '@cord/contracts/rules/age';
import { welcomeMicro } from '@cord/contracts/rules/bonuses';
import { tierHundredths } from '@cord/contracts/rules/tiers';

/** The welcome credit of a newcomer: key and amount are stored before the first try and never change (services/mining/ledger/README.md#credit). */
export interface WelcomeCredit {
  key: string;
  amountMicro: bigint;
}

/** The welcome credit by the displayed age and its tier. */
export function welcomeCredit(userId: string, discordCreatedAtMs: number, nowMs: number): WelcomeCredit {
  const tier = tierHundredths(nowMs - discordCreatedAtMs);
  return { key: `welcome:${userId}`, amountMicro: welcomeMicro(ageTenths(discordCreatedAtMs, nowMs), tier) };
}
