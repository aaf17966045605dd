import { DAY_MS } from '@cord/contracts/rules/days';
import { describe, expect, it } from 'vitest';
import { type NodeTime, type Place, placesAfter } from './places.js';

const TWO_AM_MS = Date.UTC(2026, 10, 21, 2);
const HOUR_MS = 3_600_000;
const [TODAY, YESTERDAY] = ['2026-11-21', '2026-11-20'];

/** The days of each address after events, ms by key. */
function daysAfter(...events: (Pick<NodeTime, 'day'> & { hours: Record<string, number>; atMs?: number })[]) {
  const known = new Map<string, Place>();
  for (const [index, { hours, day, atMs = TWO_AM_MS }] of events.entries()) {
    const addresses = Object.entries(hours).map(([hash, each]) => ({ hash, ms: each * HOUR_MS, fromRanMs: 0 }));
    const time = { userId: 'u', seq: index + 1, atMs, addresses, day };
    for (const place of placesAfter(known, time)) known.set(place.addressHash, place);
  }
  const hoursOf = ({ days }: Place) => Object.fromEntries(days.map(({ key, ms }) => [key, ms / HOUR_MS]));
  return Object.fromEntries([...known].map(([hash, place]) => [hash, hoursOf(place)]));
}

describe('an address that mining had dropped', () => {
  /** So many addresses in turn; mining remembers the last eight. @returns ms by address: as counted, and as it was */
  const inTurn = (addresses: number, visits: number, msOf: (visit: number) => number) => {
    const [known, truth] = [new Map<string, Place>(), new Map<string, number>()];
    let remembered: { hash: string; ms: number; fromRanMs: number }[] = [];
    let ranMs = 0;
    for (let visit = 0; visit < visits; visit += 1) {
      const [hash, ms] = [`a${visit % addresses}`, msOf(visit)];
      const before = remembered.find((at) => at.hash === hash) ?? { hash, ms: 0, fromRanMs: ranMs };
      remembered = [...remembered.filter((at) => at.hash !== hash).slice(-7), { ...before, ms: before.ms + ms }];
      truth.set(hash, (truth.get(hash) ?? 0) + ms);
      ranMs += ms;
      const time = {
        userId: 'u',
        seq: visit + 1,
        atMs: TWO_AM_MS,
        addresses: remembered,
        day: { dayKey: TODAY, ms: ranMs },
      };
      for (const place of placesAfter(known, time)) known.set(place.addressHash, place);
    }
    const counted = [...known].map(([hash, { days }]) => [hash, days.reduce((sum, { ms }) => sum + ms, 0)] as const);
    return { counted: new Map(counted), truth };
  };

  it.each([
    [8, 'longer each time', (visit: number) => 1_200_000 + Math.floor(visit / 8) * 1_000],
    [9, 'longer each time', (visit: number) => 1_200_000 + Math.floor(visit / 9) * 1_000],
    [9, 'shorter each time', (visit: number) => 1_200_000 - visit * 1_000],
    [9, 'as long each time', () => 1_200_000],
    [30, 'longer each time', (visit: number) => 1_200_000 + visit * 1_000],
  ])('counts its whole time: %i addresses in turn, %s', (addresses, _how, msOf) => {
    const { counted, truth } = inTurn(addresses, 400, msOf);
    expect(counted).toEqual(truth);
  });
});

const day = (hours: number, dayKey = TODAY) => ({ dayKey, ms: hours * HOUR_MS });

describe('the day that an address’s time belongs to', () => {
  it('is the event’s own day up to that day’s node time; the rest belongs to the day before', () => {
    expect(daysAfter({ hours: { home: 5 }, day: day(2) })).toEqual({ home: { [YESTERDAY]: 3, [TODAY]: 2 } });
  });

  it('is the day before when the event’s own day has no node time', () => {
    expect(daysAfter({ hours: { home: 5 }, day: day(4, YESTERDAY) })).toEqual({ home: { [YESTERDAY]: 5 } });
  });

  it('fills up from the present address first, and only once across events', () => {
    expect(
      daysAfter(
        { hours: { home: 4 }, day: day(1), atMs: TWO_AM_MS - HOUR_MS },
        { hours: { home: 5, phone: 1 }, day: day(2) },
      ),
    ).toEqual({ home: { [YESTERDAY]: 4, [TODAY]: 1 }, phone: { [TODAY]: 1 } });
  });

  it('is dropped after 30 days', () => {
    expect(
      daysAfter(
        { hours: { home: 5 }, day: day(5) },
        { hours: { home: 6 }, day: day(0), atMs: TWO_AM_MS + 31 * DAY_MS },
      ),
    ).toEqual({ home: { '2026-12-21': 1 } });
  });
});
