import type { EpochRow } from '@cord/contracts/events/rewards';
import { LIVE_CHARS_MAX } from '@cord/contracts/live/kinds';
import { DAY_MS } from '@cord/contracts/rules/days';
import { expect, test } from 'vitest';
import { EPOCHS_MAX } from '../domain/epochs.js';
import { liveEpochs } from './epochs.js';

const NOW_MS = Date.UTC(2026, 10, 18);

/** A full table of one-day epochs; the first is over. */
const table = (description: string): EpochRow[] =>
  Array.from({ length: EPOCHS_MAX }, (_, n) => ({
    ...{ id: `epoch-${n}`, name: 'Epoch', description, multiplierHundredths: 110 },
    startAt: NOW_MS + (n - 1) * DAY_MS,
    endAt: NOW_MS + n * DAY_MS,
  }));

test.each([
  ['short texts', 'Once'],
  ['texts as long as they may be, each character escaped', '\u0001'.repeat(300)],
])('a full table with %s is sent live from the current epoch on, as much as fits into a message', (_, description) => {
  const rows = table(description);
  const sent = liveEpochs({ seq: '7', epochs: rows }, NOW_MS);
  const ids = rows.slice(1).map(({ id }) => id);
  expect(sent.epochs.map(({ id }) => id)).toEqual(ids.slice(0, sent.epochs.length));
  const size = (epochs: number) =>
    JSON.stringify(liveEpochs({ seq: '7', epochs: rows.slice(0, epochs) }, NOW_MS)).length;
  expect(size(rows.length)).toBeLessThanOrEqual(LIVE_CHARS_MAX);
  // One more would not fit.
  const each = JSON.stringify(sent.epochs[0]).length;
  expect(size(rows.length)).toBeGreaterThan(LIVE_CHARS_MAX - each - 8);
});
