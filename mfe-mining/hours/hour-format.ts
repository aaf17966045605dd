import type { HourPart, HoursOfDay } from '@cord/contracts/http/hours';
import { dayKey } from '@cord/contracts/rules/days';
import { dateFormat, formatTime, formatWhen } from '@cord/sdk';
import { formatRate } from '@cord/ui';
import { hoursName, momentName } from '../earnings/period-names';
import { HOURS_TEXTS } from './texts';

export type Hour = HoursOfDay['hours'][number];

/** Formats of times. */
export interface Clock {
  /** Formats `14:42`. */
  time(ms: number): string;
  /** Formats `14:42`, or `25 Nov, 14:42` on another day than the second time, with the year when that differs. */
  when(ms: number, besideMs: number): string;
}

const utcFace = dateFormat({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** UTC, like the days of the earnings. */
export const UTC_CLOCK: Clock = {
  time: (ms) => utcFace.format(ms),
  when: (ms, besideMs) => (dayKey(ms) === dayKey(besideMs) ? utcFace.format(ms) : momentName(ms, besideMs)),
};

/** Local time, like ledger entries. */
export const DEVICE_CLOCK: Clock = { time: formatTime, when: formatWhen };

/** Formats `14:00`. */
export function hourName({ from }: Hour): string {
  return UTC_CLOCK.time(Date.parse(from));
}

/** Returns the events of an hour in order of time; one text when nothing changed in it. */
export function textsOf(hour: Hour, clock: Clock): string[] {
  const t = HOURS_TEXTS.get();
  const { parts } = hour;
  return parts.map((part) => {
    const text = textOf(part, hour, clock);
    if (parts.length === 1) return text;
    return t.span({ from: clock.time(Date.parse(part.from)), to: clock.time(Date.parse(part.to)), text });
  });
}

function textOf(part: HourPart, hour: Hour, clock: Clock): string {
  const t = HOURS_TEXTS.get();
  const when = (at: string | null) => (at === null ? '' : clock.when(Date.parse(at), Date.parse(part.from)));
  const since = when(part.since);
  switch (part.state) {
    case 'ran':
      return [part.rate === null ? t.ranRates({ since }) : t.ran({ rate: formatRate(part.rate), since }), cutOf(part)]
        .filter(Boolean)
        .join(' ');
    case 'outage':
      return part.until === null ? t.outageNow({ since }) : t.outage({ since, until: when(part.until) });
    case 'lease-over':
    case 'stopped':
    case 'no-sign-in':
      return t[part.state as 'stopped']({ since });
    case 'not-started':
    case 'before-joined':
    case 'to-come':
      return t[part.state as 'to-come'];
    case 'many-changes':
      return t['many-changes']({ ran: hoursName(hour.ranMs) });
    default:
      return t.other;
  }
}

function cutOf({ network }: HourPart): string {
  const t = HOURS_TEXTS.get();
  if (network === null) return '';
  const { percent, accounts } = network;
  return accounts === null ? t.networkOnly({ percent }) : t.network({ percent, accounts });
}

/** Lists what could not be read: `the network check, when you were signed in and its outages`. */
export function missingName(unknown: HoursOfDay['unknown']): string {
  const t = HOURS_TEXTS.get();
  const names = unknown.flatMap((source) => {
    const key = `missing.${source}`;
    return key in t ? [String(t[key as 'missing.network'])] : [];
  });
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t.missingMore({ list: names.slice(0, -1).join(', '), last });
}
