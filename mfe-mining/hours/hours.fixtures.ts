import type { HourPart, HoursOfDay } from '@cord/contracts/http/hours';
import { DAY_MS, dayStartOf } from '@cord/contracts/rules/days';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const RATE = 1.925;
const iso = (ms: number) => new Date(ms).toISOString();

/** A part of a story's day: minutes from the day's start. */
type Drawn = Partial<Pick<HourPart, 'state' | 'rate' | 'network'>> & {
  from: number;
  to: number;
  since?: number | null;
  until?: number;
};

const at = (hours: number, minutes = 0) => 60 * hours + minutes;

/** A day with all kinds of events, in UTC. */
const EVERYTHING: Drawn[] = [
  { from: at(0), to: at(2, 40), state: 'ran', rate: RATE, since: at(-5, 12) },
  { from: at(2, 40), to: at(5), state: 'lease-over', since: at(2, 40) },
  { from: at(5), to: at(6, 20), state: 'no-sign-in', since: at(5) },
  { from: at(6, 20), to: at(7, 5), state: 'outage', since: at(6, 20), until: at(7, 5) },
  { from: at(7, 5), to: at(9, 10), state: 'no-sign-in', since: at(5) },
  { from: at(9, 10), to: at(12), state: 'ran', rate: RATE, since: at(9, 10) },
  {
    ...{ from: at(12), to: at(15, 30), state: 'ran', since: at(9, 10), rate: RATE / 2 },
    network: { percent: 50, accounts: 4 },
  },
  { from: at(15, 30), to: at(24), state: 'stopped', since: at(15, 30) },
];

/** Returns the hours of a day as mining sends them. */
export function hoursOf(day: string, drawn: readonly Drawn[] = EVERYTHING): HoursOfDay {
  const startMs = dayStartOf(day);
  const moment = (minutes: number | null | undefined) =>
    minutes === null || minutes === undefined ? null : iso(startMs + minutes * MINUTE_MS);
  const hours = Array.from({ length: DAY_MS / HOUR_MS }, (_, index) => {
    const [first, end] = [60 * index, 60 * (index + 1)];
    const within = drawn.filter(({ from, to }) => from < end && to > first);
    const cut = within.map((part) => ({ ...part, from: Math.max(first, part.from), to: Math.min(end, part.to) }));
    const ran = cut.filter(({ state }) => state === 'ran');
    return {
      from: iso(startMs + index * HOUR_MS),
      mined: ran.reduce((sum, { from, to, rate }) => sum + (to - from) * (rate ?? 0), 0),
      ranMs: ran.reduce((sum, { from, to }) => sum + (to - from), 0) * MINUTE_MS,
      parts: cut.map(({ state = 'stopped', rate = null, network = null, ...part }) => ({
        ...{ from: moment(part.from) as string, to: moment(part.to) as string, state, rate, network },
        ...{ since: moment(part.since), until: moment(part.until) },
      })),
    };
  });
  return { day, hours, unknown: [], serverTime: iso(startMs + DAY_MS) };
}

/** A day in progress without events. */
export function quietHours(day: string): HoursOfDay {
  return hoursOf(day, [
    { from: 0, to: at(19, 12), state: 'stopped', since: at(-8, 30) },
    { from: at(19, 12), to: at(24), state: 'to-come', since: null },
  ]);
}
