import type { UpdatedUser, User } from '@cord/contracts/http/users';

/** Fields that come from the ledger account: true together, of one balanceSeq. */
const LEDGER_FIELDS: ReadonlySet<string> = new Set<keyof User>([
  'balanceSeq',
  'balanceAt',
  'current_balance',
  'lastsavedbalance',
  'total_earned',
  'daily_earnings',
  'weekly_earnings',
  'monthly_earnings',
  'is_node_active',
  'node_start_time',
  'currentEpochId',
  'epochJoinDate',
  'totalEpochEarnings',
  'rate',
]);

/** Fields that other services own; null in a whole record while their owner does not answer. */
const MAY_BE_UNKNOWN: ReadonlySet<string> = new Set<keyof User>([
  'rank',
  'tasks_completed',
  'daily_checkin_claimed',
  'comp_claim',
  'referralCode',
  'referralEarnings',
  'totalReferrals',
]);

/** The record after an update: never an older ledger state, and unknown never replaces known. */
export function mergeUser(current: User, update: UpdatedUser): User {
  const older = isOlderSeq(update.balanceSeq, current.balanceSeq);
  const merged: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(update)) {
    if (value === undefined) continue;
    if (LEDGER_FIELDS.has(key) && older) continue;
    if (value === null && MAY_BE_UNKNOWN.has(key)) continue;
    merged[key] = value;
  }
  return merged as User;
}

/** Whether the ledger state of an update is behind what is known; without a seq there is none in it. */
export function isOlderSeq(seq: string | null | undefined, known: string | null): boolean {
  if (known === null) return false;
  if (seq === null || seq === undefined) return true;
  return BigInt(seq) < BigInt(known);
}
