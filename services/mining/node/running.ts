import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { Factors } from '../ledger/account.js';

/** Running nodes with the same factors, without the epoch. */
interface RunningGroup {
  tierHundredths: number;
  antiCheatHundredths: number;
  badge: boolean;
  /** Number of nodes in the sample. */
  nodes: number;
}

/** Groups nodes by their factors at a time: the tier by the exact age and the rule book of that time (services/mining/ledger/README.md#accrual). */
export function groupsOf(factors: readonly Factors[], atMs: number, book: RuleBook): RunningGroup[] {
  const groups = new Map<string, RunningGroup>();
  for (const { discordCreatedAtMs, antiCheatHundredths, badge } of factors) {
    const group = {
      tierHundredths: Number(tierHundredths(book, atMs - discordCreatedAtMs)),
      antiCheatHundredths: Number(antiCheatHundredths),
      badge,
    };
    const key = Object.values(group).join();
    const known = groups.get(key) ?? { ...group, nodes: 0 };
    groups.set(key, { ...known, nodes: known.nodes + 1 });
  }
  return [...groups.values()];
}
