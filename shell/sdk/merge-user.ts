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
  'referred_by',
  'referralCode',
  'referralEarnings',
  'totalReferrals',
]);

/**
 * Whether auth has not received yet what the owner of a field has answered already: it repeats the events of others, and these fields only
 * ever go one way (that of the check-in within a UTC day of the server's clock).
 */
const LAGS: Partial<Record<string, (update: UpdatedUser, known: User) => unknown>> = {
  tasks_completed: (update, known) => Number(update.tasks_completed) < Number(known.tasks_completed),
  comp_claim: (_, known) => known.comp_claim,
  daily_checkin_claimed: (update, known) => known.daily_checkin_claimed && dayOf(update) <= dayOf(known),
  serverTime: (update, known) => String(update.serverTime) < known.serverTime,
};

/** The UTC day of a time of the server's clock; the first of all where none is shown. */
const dayOf = ({ serverTime = '' }: UpdatedUser) => serverTime.slice(0, 10);

/** The record after an update: never an older ledger state, unknown never replaces known, and what has been done stays done. */
export function mergeUser(current: User, update: UpdatedUser): User {
  const older = isOlderState(update, current);
  const merged: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(update)) {
    if (value === undefined) continue;
    if (LEDGER_FIELDS.has(key) && older) continue;
    if (value === null && MAY_BE_UNKNOWN.has(key)) continue;
    if (LAGS[key]?.(update, current)) continue;
    merged[key] = value;
  }
  return merged as User;
}

/** Whether a ledger state is behind another: by seq, and of one seq by time, since a save that is not written has the seq of the last write. */
function isOlderState(update: UpdatedUser, { balanceSeq, balanceAt }: User): boolean {
  if (isOlderSeq(update.balanceSeq, balanceSeq)) return true;
  if (update.balanceSeq !== balanceSeq || !update.balanceAt || !balanceAt) return false;
  return Date.parse(update.balanceAt) < Date.parse(balanceAt);
}

/** Whether the ledger state of an update is behind what is known; without a seq there is none in it. */
export function isOlderSeq(seq: string | null | undefined, known: string | null): boolean {
  if (known === null) return false;
  if (seq === null || seq === undefined) return true;
  return BigInt(seq) < BigInt(known);
}
