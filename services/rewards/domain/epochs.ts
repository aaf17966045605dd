import type { EpochRow } from '@cord/contracts/events/rewards';
import { DAY_MS, dayStartMs } from '@cord/contracts/rules/days';

/** A change takes effect at least this long after its event is out, ms (money.md, Accrual). */
export const EFFECT_AHEAD_MS = 5_000;
/** What is left to get it out: a publish with its whole timeout, and as long again to try. */
const TELLING_MS = 10_000;
/** An edit lies at least this far ahead, ms. */
export const EDIT_AHEAD_MS = EFFECT_AHEAD_MS + TELLING_MS;
const AHEAD = `must be at least ${EDIT_AHEAD_MS / 1_000} seconds ahead`;
const CYCLE_MS = 15 * DAY_MS;

/** Greek letters: Alpha x1.0, then 15-day cycles x1.1, x1.2, x1.3 (decisions, Epochs). */
const NAMES = [
  'Alpha',
  'Beta',
  'Gamma',
  'Delta',
  'Epsilon',
  'Zeta',
  'Eta',
  'Theta',
  'Iota',
  'Kappa',
  'Lambda',
  'Mu',
  'Nu',
  'Xi',
  'Omicron',
  'Pi',
  'Rho',
  'Sigma',
  'Tau',
  'Upsilon',
  'Phi',
  'Chi',
  'Psi',
  'Omega',
];
const CYCLE_HUNDREDTHS = [110, 120, 130];

/** The table of a new system: a year of epochs from the present day on. */
export function seedEpochs(nowMs: number): EpochRow[] {
  const fromMs = dayStartMs(nowMs);
  return NAMES.map((name, index) => {
    const multiplierHundredths = index === 0 ? 100 : (CYCLE_HUNDREDTHS[(index - 1) % CYCLE_HUNDREDTHS.length] ?? 100);
    return {
      id: name.toLowerCase(),
      name: `Epoch ${name}`,
      description:
        index === 0
          ? 'The first epoch: mining pays the plain rate.'
          : `All mining pays ${multiplierHundredths - 100} % more until the epoch closes.`,
      multiplierHundredths,
      startAt: fromMs + index * CYCLE_MS,
      endAt: fromMs + (index + 1) * CYCLE_MS,
    };
  });
}

/** The epoch in force at a time; ends are exclusive. */
export function epochAt(epochs: readonly EpochRow[], nowMs: number): EpochRow | null {
  return epochs.find((epoch) => epoch.startAt <= nowMs && nowMs < epoch.endAt) ?? null;
}

/** When two tables first pay otherwise, ms since epoch; null when they never do: words may change at any time. */
export function firstChangeMs(before: readonly EpochRow[], after: readonly EpochRow[]): number | null {
  const boundaries = [...before, ...after].flatMap(({ startAt, endAt }) => [startAt, endAt]).sort((a, b) => a - b);
  const differs = (atMs: number): boolean => {
    const [was, is] = [epochAt(before, atMs), epochAt(after, atMs)];
    return was?.id !== is?.id || was?.multiplierHundredths !== is?.multiplierHundredths;
  };
  return boundaries.find(differs) ?? null;
}

/** Why a change of the table is refused: the field and the reason. */
export interface EpochRefusal {
  path: string;
  message: string;
}

/** The table with an epoch added or changed; or why not. The past is never changed, and no two epochs overlap. */
export function withEpoch(
  epochs: readonly EpochRow[],
  row: EpochRow,
  nowMs: number,
): { epochs: EpochRow[] } | { refusal: EpochRefusal } {
  const before = epochs.find((each) => each.id === row.id);
  const refusal = before ? changeRefusal(before, row, nowMs) : startRefusal(row, nowMs);
  if (refusal) return { refusal };
  if (row.endAt <= row.startAt) return { refusal: { path: 'endDate', message: 'must be after startDate' } };
  const others = epochs.filter((each) => each.id !== row.id);
  const overlapping = others.find((each) => each.startAt < row.endAt && row.startAt < each.endAt);
  if (overlapping) return { refusal: { path: 'startDate', message: `overlaps with ${overlapping.name}` } };
  return { epochs: [...others, { ...before, ...row }].sort((a, b) => a.startAt - b.startAt) };
}

/** The table without an epoch that has not begun; null for one that has. */
export function withoutEpoch(epochs: readonly EpochRow[], id: string, nowMs: number): EpochRow[] | null {
  const row = epochs.find((each) => each.id === id);
  if (!row || row.startAt < nowMs + EDIT_AHEAD_MS) return null;
  return epochs.filter((each) => each.id !== id);
}

function startRefusal(row: EpochRow, nowMs: number): EpochRefusal | null {
  if (row.startAt >= nowMs + EDIT_AHEAD_MS) return null;
  return { path: 'startDate', message: AHEAD };
}

/** What may change: everything before it begins; name, description and end while it runs; words only once it is over. */
function changeRefusal(before: EpochRow, row: EpochRow, nowMs: number): EpochRefusal | null {
  const begun = before.startAt < nowMs + EDIT_AHEAD_MS;
  if (!begun) return startRefusal(row, nowMs);
  if (row.startAt !== before.startAt) return { path: 'startDate', message: 'cannot change once the epoch has begun' };
  if (row.multiplierHundredths !== before.multiplierHundredths) {
    return { path: 'rewardsMultiplier', message: 'cannot change once the epoch has begun: end it and add another' };
  }
  if (row.endAt === before.endAt) return null;
  if (before.endAt <= nowMs) return { path: 'endDate', message: 'cannot change once the epoch is over' };
  return row.endAt >= nowMs + EDIT_AHEAD_MS ? null : { path: 'endDate', message: AHEAD };
}
