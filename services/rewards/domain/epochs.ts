import type { EpochRow } from '@cord/contracts/events/rewards';
import { DAY_MS, dayStartMs } from '@cord/contracts/rules/days';
import { EPOCHS_AHEAD_MS } from '@cord/contracts/rules/epochs';

/** Time to hand a change to mining, ms: two tries of two seconds, and one second to write it. */
const DELIVERY_MS = 5_000;
/** Minimum lead time of an edit, ms. */
const EDIT_AHEAD_MS = EPOCHS_AHEAD_MS + DELIVERY_MS;
/** The refusal of a time below this lead time. */
const AHEAD = {
  message: `must be at least ${EDIT_AHEAD_MS / 1_000} seconds ahead`,
  translations: { de: `muss mindestens ${EDIT_AHEAD_MS / 1_000} Sekunden in der Zukunft liegen` },
};
const CYCLE_MS = 15 * DAY_MS;
/** Maximum number of epochs in the table, past ones included: it is published as one message of at most 1 MB. With the longest texts, each character escaped, an epoch has 2.5 KB. */
export const EPOCHS_MAX = 320;

/** Names of the seeded epochs: Alpha pays x1.0, the following 15-day cycles x1.1, x1.2, x1.3 in turn (services/contracts/rules/README.md#epochs). */
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

/** Returns the multiplier x 100 of an epoch by its index in the table of a new system. */
function seededHundredths(index: number): number {
  return index === 0 ? 100 : (CYCLE_HUNDREDTHS[(index - 1) % CYCLE_HUNDREDTHS.length] ?? 100);
}

/** Returns the table of a new system: a year of epochs, starting today. */
export function seedEpochs(nowMs: number): EpochRow[] {
  const fromMs = dayStartMs(nowMs);
  return NAMES.map((name, index) => ({
    id: name.toLowerCase(),
    name: `Epoch ${name}`,
    description: ENGLISH(seededHundredths(index)),
    multiplierHundredths: seededHundredths(index),
    startAt: fromMs + index * CYCLE_MS,
    endAt: fromMs + (index + 1) * CYCLE_MS,
  }));
}

/** Returns the description of a seeded epoch. @param hundredths its multiplier x 100 */
type Description = (hundredths: number) => string;

const ENGLISH: Description = (hundredths) =>
  hundredths === 100
    ? 'The first epoch: mining pays the plain rate.'
    : `All mining pays ${hundredths - 100}% more until the epoch closes.`;

const LANGUAGES: Readonly<Record<string, Description>> = {
  de: (hundredths) =>
    hundredths === 100
      ? 'Die erste Epoche: Mining bringt die einfache Rate.'
      : `Mining bringt ${hundredths - 100} % mehr, bis die Epoche endet.`,
};

/** Languages with translated epoch descriptions, in addition to English. */
export const EPOCH_LANGUAGES: readonly string[] = Object.keys(LANGUAGES);

/** Returns an epoch's description in a language. Falls back to the stored text when there is no translation, or when an admin changed the text. */
export function descriptionOf({ id, description }: Pick<EpochRow, 'id' | 'description'>, language: string): string {
  const index = NAMES.findIndex((name) => name.toLowerCase() === id);
  const hundredths = seededHundredths(index);
  const isSeeded = index >= 0 && description === ENGLISH(hundredths);
  return (isSeeded && LANGUAGES[language]?.(hundredths)) || description;
}

/** Why a change of the epochs or the rules is refused: the field and the reason. */
export interface ChangeRefusal {
  path: string;
  message: string;
  /** The reason in other languages. */
  translations: Readonly<Record<string, string>>;
}

/** Returns the table with an epoch added or changed, or the refusal. The past never changes, and epochs never overlap. */
export function withEpoch(
  epochs: readonly EpochRow[],
  row: EpochRow,
  nowMs: number,
): { epochs: EpochRow[] } | { refusal: ChangeRefusal } {
  const before = epochs.find((each) => each.id === row.id);
  const refusal = before ? changeRefusal(before, row, nowMs) : startRefusal(row, nowMs);
  if (refusal) return { refusal };
  if (!before && epochs.length >= EPOCHS_MAX) {
    const translations = { de: `wäre eine mehr als die ${EPOCHS_MAX}, die die Tabelle fasst` };
    return {
      refusal: { path: 'id', message: `would be one more than the ${EPOCHS_MAX} that the table holds`, translations },
    };
  }
  if (row.endAt <= row.startAt) {
    const translations = { de: 'muss nach dem Beginn liegen' };
    return { refusal: { path: 'endDate', message: 'must be after startDate', translations } };
  }
  const others = epochs.filter((each) => each.id !== row.id);
  const overlapping = others.find((each) => each.startAt < row.endAt && row.startAt < each.endAt);
  if (overlapping) {
    const translations = { de: `überschneidet sich mit ${overlapping.name}` };
    return { refusal: { path: 'startDate', message: `overlaps with ${overlapping.name}`, translations } };
  }
  return { epochs: [...others, { ...before, ...row }].sort((a, b) => a.startAt - b.startAt) };
}

/** Returns the table without an epoch; null when the epoch has begun or does not exist. */
export function withoutEpoch(epochs: readonly EpochRow[], id: string, nowMs: number): EpochRow[] | null {
  const row = epochs.find((each) => each.id === id);
  if (!row || row.startAt < nowMs + EDIT_AHEAD_MS) return null;
  return epochs.filter((each) => each.id !== id);
}

/**
 * Returns the ledger's epochs up to a time, followed by this service's own epochs.
 * @param paid the epochs of the ledger; their past cannot change any more
 */
export function rejoinedEpochs(
  paid: readonly Omit<EpochRow, 'description'>[],
  own: readonly EpochRow[],
  atMs: number,
): EpochRow[] {
  const known = new Map(own.map((row) => [row.id, row]));
  const past = paid
    .filter(({ startAt }) => startAt < atMs)
    .map((row) => ({ description: '', ...known.get(row.id), ...row, endAt: Math.min(row.endAt, atMs) }));
  const taken = new Set(past.map(({ id }) => id));
  const coming = own
    .filter(({ endAt }) => endAt > atMs)
    .map((row) => ({ ...row, id: freeId(row.id, taken), startAt: Math.max(row.startAt, atMs) }));
  return [...past, ...coming];
}

/** Returns the id, or the first free one of `id-2`, `id-3` ... */
function freeId(id: string, taken: Set<string>): string {
  let free = id;
  for (let n = 2; taken.has(free); n += 1) free = `${id.slice(0, 60)}-${n}`;
  taken.add(free);
  return free;
}

function startRefusal(row: EpochRow, nowMs: number): ChangeRefusal | null {
  if (row.startAt >= nowMs + EDIT_AHEAD_MS) return null;
  return { path: 'startDate', ...AHEAD };
}

/** Checks which fields may change: all before the epoch begins; name, description and end while it runs; only texts once it is over. */
function changeRefusal(before: EpochRow, row: EpochRow, nowMs: number): ChangeRefusal | null {
  const begun = before.startAt < nowMs + EDIT_AHEAD_MS;
  if (!begun) return startRefusal(row, nowMs);
  if (row.startAt !== before.startAt) {
    const translations = { de: 'lässt sich nicht ändern, wenn die Epoche begonnen hat' };
    return { path: 'startDate', message: 'cannot change once the epoch has started', translations };
  }
  if (row.multiplierHundredths !== before.multiplierHundredths) {
    const message = 'cannot change once the epoch has started: end it and add another';
    const translations = {
      de: 'lässt sich nicht ändern, wenn die Epoche begonnen hat: beende sie und lege eine neue an',
    };
    return { path: 'rewardsMultiplier', message, translations };
  }
  if (row.endAt === before.endAt) return null;
  if (before.endAt <= nowMs) {
    const translations = { de: 'lässt sich nicht ändern, wenn die Epoche vorbei ist' };
    return { path: 'endDate', message: 'cannot change once the epoch is over', translations };
  }
  return row.endAt >= nowMs + EDIT_AHEAD_MS ? null : { path: 'endDate', ...AHEAD };
}
