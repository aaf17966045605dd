import type { EpochRow } from '@cord/contracts/events/rewards';
import { FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';

/** One epoch for the accrual; the end is exclusive. */
export interface EpochSpan {
  readonly id: string;
  readonly name: string;
  readonly hundredths: bigint;
  readonly startMs: number;
  readonly endMs: number;
}

/** The versioned table of rules in use (services/mining/ledger/README.md#accrual): spans in chronological order without overlap, and books by ascending `fromMs`. */
export interface EpochTable {
  readonly version: bigint;
  readonly spans: readonly EpochSpan[];
  readonly books: readonly RuleBook[];
}

/** The epoch multiplier at a time, and until when it is in force. */
interface EpochMoment {
  readonly id: string | null;
  readonly hundredths: bigint;
  /** First ms with another multiplier; Infinity when none is known. */
  readonly untilMs: number;
}

/** The fields of an epoch that the accrual uses. */
export type EpochTimes = Pick<EpochRow, 'id' | 'name' | 'multiplierHundredths' | 'startAt' | 'endAt'>;

/** The initial table, before rewards has sent one: multiplier x1, as between epochs, and the first book. */
export const NO_EPOCHS: EpochTable = { version: 0n, spans: [], books: FIRST_BOOKS };
const PLAIN_HUNDREDTHS = 100n;

/** Builds the table from epoch rows. When two epochs overlap, the later start wins from its start on. */
export function epochTable(
  version: bigint,
  rows: readonly EpochTimes[],
  books: readonly RuleBook[] = FIRST_BOOKS,
): EpochTable {
  const inOrder = [...rows].filter((row) => row.endAt > row.startAt).sort((a, b) => a.startAt - b.startAt);
  const spans = inOrder.map((row, index) => ({
    id: row.id,
    name: row.name,
    hundredths: BigInt(row.multiplierHundredths),
    startMs: row.startAt,
    endMs: Math.min(row.endAt, inOrder[index + 1]?.startAt ?? row.endAt),
  }));
  return { version, spans: spans.filter((span) => span.endMs > span.startMs), books };
}

/** Returns the multiplier in force at a time. */
export function epochAt(table: EpochTable, ms: number): EpochMoment {
  for (const span of table.spans) {
    if (ms < span.startMs) return { id: null, hundredths: PLAIN_HUNDREDTHS, untilMs: span.startMs };
    if (ms < span.endMs) return { id: span.id, hundredths: span.hundredths, untilMs: span.endMs };
  }
  return { id: null, hundredths: PLAIN_HUNDREDTHS, untilMs: Number.POSITIVE_INFINITY };
}
