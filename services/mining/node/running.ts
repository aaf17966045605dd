import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { Factors } from '../ledger/account.js';

/** Running nodes that earn alike, beside the epoch. */
interface RunningGroup {
  tierHundredths: number;
  antiCheatHundredths: number;
  badge: boolean;
  /** How many of those that were looked at. */
  nodes: number;
}

/** Nodes by what they earn by at a time: the tier by the exact age then and the book of it (services/mining/ledger/README.md#accrual). */
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
