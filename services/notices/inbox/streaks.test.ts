import { excusedDays, isTodayHindered } from '@cord/contracts/rules/streak';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test, vi } from 'vitest';
import { checkIn, DAY, EVENING, HOUR, openInboxWorld } from '../test/inbox-world.js';

const world = forAllTests(() => openInboxWorld());

/* One evening after the other, on one clock. */

test('an open streak creates one notice at 22:00 UTC with the time left, and a check-in withdraws it', async () => {
  const [open, done] = [randomId(), randomId()];
  for (const userId of [open, done]) await world.receive.checkIn(userId, checkIn('2026-11-26', 18));
  await world.receive.checkIn(done, checkIn('2026-11-27', 19));
  await world.sweep();
  expect(await world.titles(open)).toEqual([]);
  await world.clock.advance(HOUR);
  await world.sweep();
  await world.sweep();
  const { notices, unread } = await world.reading.page(open, { limit: 5 });
  expect([notices.length, unread]).toEqual([1, 1]);
  expect(notices[0]).toMatchObject({
    kind: 'streak-closing',
    at: '2026-11-27T22:00:00.000Z',
    title: 'Your streak ends in 2 h',
    text: 'Check in before 00:00 UTC to keep 18 days. Today pays 145 CORD.',
    tab: 'tasks',
  });
  await world.clock.advance(75 * 60_000);
  expect(await world.titles(open)).toEqual(['Your streak ends in 45 min']);
  expect(await world.titles(done)).toEqual([]);
  world.announced.length = 0;
  await world.receive.checkIn(open, checkIn('2026-11-27', 19));
  expect(await world.titles(open)).toEqual([]);
  expect(world.announced).toEqual([`notices ${open}`]);
});

test('after a jump of the clock only the current day counts, and a notice ends with its day', async () => {
  const [missed, kept] = [randomId(), randomId()];
  await world.receive.checkIn(missed, checkIn('2026-11-26', 4));
  await world.receive.checkIn(kept, checkIn('2026-11-29', 1));
  await world.clock.advance(EVENING + 3 * DAY + 2 * HOUR - world.clock.now());
  await world.sweep();
  expect(await world.titles(missed)).toEqual([]);
  expect(await world.people.docs.get(missed)).not.toHaveProperty('closesOn');
  expect((await world.reading.page(kept, { limit: 5 })).notices[0]?.text).toBe(
    'Check in before 00:00 UTC to keep 1 day. Today pays 60 CORD.',
  );
  await world.clock.advance(HOUR);
  expect(await world.titles(kept)).toEqual([]);
});

/** An evening of its own, at 21:00 UTC, days after all others. */
async function nextEvening(): Promise<number> {
  const start = EVENING + (Math.floor((world.clock.now() - EVENING) / DAY) + 10) * DAY;
  await world.clock.advance(start - world.clock.now());
  world.spans.length = 0;
  world.outages.length = 0;
  return start;
}
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const off = (fromMs: number, toMs: number | null) => world.spans.push({ fromMs, toMs });
const at = async (ms: number) => {
  await world.clock.advance(ms - world.clock.now());
  await world.sweep();
};

test('a day with claims off for long creates no notice; a missing check-in on the next day does', async () => {
  const evening = await nextEvening();
  const userId = randomId();
  await world.receive.checkIn(userId, checkIn(dayOf(evening - DAY), 7));
  off(evening - 14 * HOUR, evening - HOUR);
  await at(evening + HOUR + 1);
  expect(await world.titles(userId)).toEqual([]);
  await at(evening + DAY);
  expect(await world.titles(userId)).toEqual([]);
  await at(evening + DAY + HOUR + 1);
  expect((await world.reading.page(userId, { limit: 5 })).notices).toMatchObject([
    { at: `${dayOf(evening + DAY)}T22:00:00.000Z`, text: expect.stringContaining('keep 7 days') },
  ]);
});

test('while claims are off in the evening there is no notice, and it follows if the day is not excused', async () => {
  const evening = await nextEvening();
  const userId = randomId();
  await world.receive.checkIn(userId, checkIn(dayOf(evening - DAY), 3));
  off(evening + HOUR - 60_000, null);
  await at(evening + HOUR + 60_000);
  expect(await world.titles(userId)).toEqual([]);
  world.spans.splice(0, 1, { fromMs: evening + HOUR - 60_000, toMs: evening + HOUR + 60_000 });
  await at(evening + HOUR + 120_000);
  expect(await world.titles(userId)).toEqual(['Your streak ends in 1 h 58 min']);
});

test('after a day that was excused later, there is a notice on the next evening again', async () => {
  const evening = await nextEvening();
  const userId = randomId();
  await world.receive.checkIn(userId, checkIn(dayOf(evening - DAY), 3));
  await at(evening + HOUR + 1);
  expect(await world.titles(userId)).toHaveLength(1);
  off(evening + 2 * HOUR, evening + 3 * HOUR - 1);
  await at(evening + DAY + HOUR + 1);
  expect((await world.reading.page(userId, { limit: 5 })).notices).toMatchObject([
    { at: `${dayOf(evening + DAY)}T22:00:00.000Z` },
  ]);
  await at(evening + 2 * DAY + HOUR + 1);
  expect(await world.titles(userId)).toEqual([]);
  expect(await world.people.docs.get(userId)).not.toHaveProperty('closesOn');
});

test('during an outage in the evening there is no notice, and it follows if the day is not excused', async () => {
  const evening = await nextEvening();
  const [short, long] = [randomId(), randomId()];
  await world.receive.checkIn(short, checkIn(dayOf(evening - DAY), 3));
  world.outages.push({ fromMs: evening + HOUR - 60_000, toMs: null });
  await at(evening + HOUR + 60_000);
  expect(await world.titles(short)).toEqual([]);
  world.outages.splice(0, 1, { fromMs: evening + HOUR - 60_000, toMs: evening + HOUR + 60_000 });
  await at(evening + HOUR + 120_000);
  expect(await world.titles(short)).toEqual(['Your streak ends in 1 h 58 min']);
  await world.receive.checkIn(long, checkIn(dayOf(evening - DAY), 5));
  world.outages.splice(0, 1, { fromMs: evening + HOUR - 60_000, toMs: evening + 2 * HOUR });
  await at(evening + 2 * HOUR + 60_000);
  expect(await world.titles(long)).toEqual([]);
});

test('after an excused day there is a notice on the next evening, even if tasks excuses it late at midnight', async () => {
  const evening = await nextEvening();
  const userId = randomId();
  await world.receive.checkIn(userId, checkIn(dayOf(evening - DAY), 6));
  off(evening - 14 * HOUR, evening - HOUR);
  // The clock of tasks is four seconds behind ours.
  const behind = vi.spyOn(world.lookups, 'excused').mockImplementation(async () => {
    const nowMs = world.clock.now() - 4_000;
    const spans = { claimsOff: world.spans, outages: [] };
    return { days: excusedDays(spans, nowMs), today: isTodayHindered(spans, nowMs) };
  });
  await at(evening + 3 * HOUR + 2_000);
  await at(evening + 3 * HOUR + 62_000);
  await at(evening + DAY + HOUR + 1);
  behind.mockRestore();
  expect(await world.titles(userId)).toHaveLength(1);
});
