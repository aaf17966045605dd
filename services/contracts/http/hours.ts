import { z } from 'zod';
import { openEnum } from '../events/envelope.js';
import { cordAmount, day, time } from './fields.js';

/** What the node did in a part of an hour, and why it did not run. */
const HOUR_STATES = [
  'ran',
  /** No contact for 8 hours. */
  'lease-over',
  'stopped',
  'not-started',
  /** It did not run, and no session was there to start it. */
  'no-sign-in',
  /** It did not run, and could not be started through a fault of ours. */
  'outage',
  'before-joined',
  'to-come',
  /** It started and stopped more often than one answer lists. */
  'many-changes',
] as const;
export type HourState = (typeof HOUR_STATES)[number];

/** A part of an hour in which nothing changed. */
const hourPart = z.object({
  from: time,
  to: time,
  state: openEnum(HOUR_STATES),
  /** Since when it is so, also before the hour; null where that has no beginning. */
  since: time.nullable(),
  /** Of an outage its end; null while it lasts, and for every other state. */
  until: time.nullable(),
  /** CORD per minute at which it ran; null where it did not, or where one entry of the ledger has more than one rate. */
  rate: z.number().nullable(),
  /** What the network check left of the rate; null where it took nothing. `accounts` at the address is null where that is not known. */
  network: z.object({ percent: z.number(), accounts: z.number().int().nullable() }).nullable(),
});
export type HourPart = z.infer<typeof hourPart>;

/** Where reasons come from that the answer lacks, because the owner did not answer. */
export const HOUR_SOURCES = ['network', 'sign-ins', 'outages'] as const;

/** Answer of `hours`. */
export const hoursOfDay = z.object({
  day,
  /** 24, in order of time, by UTC. */
  hours: z.array(
    z.object({
      from: time,
      /** CORD that was mined: the ledger's entries of the hour and what is not an entry yet. */
      mined: cordAmount,
      /** How long the node ran, ms. */
      ranMs: z.number(),
      /** They cover the hour without a gap. */
      parts: z.array(hourPart),
    }),
  ),
  unknown: z.array(openEnum(HOUR_SOURCES)),
  serverTime: time,
});
export type HoursOfDay = z.infer<typeof hoursOfDay>;
