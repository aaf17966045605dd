import { z } from 'zod';
import { openEnum } from '../events/envelope.js';
import { cordAmount, day, time } from './fields.js';

/** State of the node in a part of an hour, with the reason when it did not run. */
const HOUR_STATES = [
  'ran',
  /** No contact for 8 hours. */
  'lease-over',
  'stopped',
  'not-started',
  /** The node did not run, and no session existed to start it. */
  'no-sign-in',
  /** The node could not be started because of an outage of ours. */
  'outage',
  'before-joined',
  'to-come',
  /** The node started and stopped more often than one response lists. */
  'many-changes',
] as const;
export type HourState = (typeof HOUR_STATES)[number];

/** A part of an hour in which nothing changed. */
const hourPart = z.object({
  from: time,
  to: time,
  state: openEnum(HOUR_STATES),
  /** When this state began, even before the hour; null when it has no beginning. */
  since: time.nullable(),
  /** End of an outage; null while it lasts, and for every other state. */
  until: time.nullable(),
  /** Rate while it ran, CORD per minute; null when it did not run, or when one ledger entry spans several rates. */
  rate: z.number().nullable(),
  /** Rate left by the network check, percent; null without a reduction. `accounts` is the number at the address, null when unknown. */
  network: z.object({ percent: z.number(), accounts: z.number().int().nullable() }).nullable(),
});
export type HourPart = z.infer<typeof hourPart>;

/** Sources of reasons that are missing from the response because their owner did not respond. */
export const HOUR_SOURCES = ['network', 'sign-ins', 'outages'] as const;

/** Response of `hours`. */
export const hoursOfDay = z.object({
  day,
  /** 24 entries in order of time, UTC. */
  hours: z.array(
    z.object({
      from: time,
      /** CORD mined: the hour's ledger entries and mining not yet in an entry. */
      mined: cordAmount,
      /** How long the node ran, ms. */
      ranMs: z.number(),
      /** The parts cover the hour without gaps. */
      parts: z.array(hourPart),
    }),
  ),
  unknown: z.array(openEnum(HOUR_SOURCES)),
  serverTime: time,
});
export type HoursOfDay = z.infer<typeof hoursOfDay>;
