import { type EpochTable, epochTable } from '../../../../services/mining/ledger/epochs.ts';
import { call, signInAgain } from '../../kit/people.ts';
import { until } from '../../kit/until.ts';
import { OPERATOR } from './names.ts';

/** Rewards requires a change to start at least 25 s ahead; the rest is for the calls. */
const AHEAD_MS = 40_000;
const DAY_MS = 86_400_000;
/** Applied in turn; each differs from the one before. */
const MULTIPLIERS = [1.25, 2, 0.5, 1.5];
const ROLE_MS_MAX = 60_000;
let changes = 0;

/** An epoch in rewards' API. */
interface Shown {
  id: string;
  startDate: string;
  endDate: string;
  rewardsMultiplier: number;
}

/**
 * Changes what is paid from 40 s on: ends the epoch in force then, or begins one.
 * @throws {Error} when a call is refused or fails
 */
export async function changeEpoch(origin: string, id: string): Promise<void> {
  // An operator's write requires a recent sign-in.
  const operator = await signInAgain(origin, OPERATOR.id);
  const startMs = Date.now() + AHEAD_MS;
  const startDate = new Date(startMs).toISOString();
  const table: Shown[] = await call(operator, 'GET', '/epochs');
  const inForce = table.find((one) => Date.parse(one.startDate) < startMs && startMs < Date.parse(one.endDate));
  const reason = 'A proof changes epochs';
  if (inForce) return call(operator, 'PUT', `/epochs/${inForce.id}`, { endDate: startDate, reason });
  const next = table.map((one) => Date.parse(one.startDate)).filter((ms) => ms > startMs);
  const endDate = new Date(Math.min(startMs + DAY_MS, ...next)).toISOString();
  const rewardsMultiplier = MULTIPLIERS[changes++ % MULTIPLIERS.length];
  const texts = { id, name: id, description: 'Made by a proof' };
  await call(operator, 'POST', '/epochs', { ...texts, rewardsMultiplier, startDate, endDate, reason });
}

/** Signs the operator in until every service knows the role. */
export async function roleOf(origin: string): Promise<void> {
  const overview = async () => call(await signInAgain(origin, OPERATOR.id), 'GET', '/admin/overview');
  await until(
    'the operator has the role',
    () =>
      overview().then(
        () => true,
        () => false,
      ),
    ROLE_MS_MAX,
  );
}

/** Returns the table of epochs in the form of accrual. */
export async function epochsOf(origin: string): Promise<EpochTable> {
  const table: Shown[] = await call(await signInAgain(origin, OPERATOR.id), 'GET', '/epochs');
  const rows = table.map(({ id, startDate, endDate, rewardsMultiplier }) => ({
    id,
    name: id,
    multiplierHundredths: Math.round(rewardsMultiplier * 100),
    startAt: Date.parse(startDate),
    endAt: Date.parse(endDate),
  }));
  return epochTable(0n, rows);
}
