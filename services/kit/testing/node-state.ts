import type { EventOf, envelope } from '@cord/contracts/events/envelope';
import type { nodeStopped } from '@cord/contracts/events/node';
import type { anticheatAssessed } from '@cord/contracts/events/user';
import { dayKey, dayStartMs } from '@cord/contracts/rules/days';
import type { z } from 'zod';
import { randomId } from './signer.js';

const HOUR_MS = 3_600_000;

type Envelope = keyof z.output<typeof envelope>;
type NodeSession = Omit<EventOf<typeof nodeStopped>, Envelope>;
type Assessed = Omit<EventOf<typeof anticheatAssessed>, Envelope>;

/**
 * Returns a mining session as published by the ledger: the user's first, without addresses and earnings, credited up to the end of its
 * lease, except for the fields in `known`.
 *
 * @param startedAt and `until`: ms since epoch
 */
export function nodeSession(startedAt: number, until: number, known: Partial<NodeSession> = {}): NodeSession {
  return {
    sessionId: randomId(),
    startedAt,
    creditedUntil: until,
    leaseUntil: until,
    earnings: '0',
    sessionMs: until - startedAt,
    ranMs: until - startedAt,
    addresses: [],
    day: { dayKey: dayKey(until), ms: until - Math.max(startedAt, dayStartMs(until)) },
    ...known,
  };
}

/** Returns a nine-hour session up to `untilMs`, with the node's hours per address. @param mined.line the current address */
export function minedAt(mined: {
  sessionId: string;
  untilMs: number;
  line: string;
  hours: Record<string, number>;
}): NodeSession {
  const { sessionId, untilMs, line, hours } = mined;
  const addresses = Object.entries(hours).map(([hash, each]) => ({ hash, ms: each * HOUR_MS, fromRanMs: 0 }));
  const ranMs = addresses.reduce((sum, { ms }) => sum + ms, 0);
  const day = { dayKey: dayKey(untilMs), ms: ranMs };
  return nodeSession(untilMs - 9 * HOUR_MS, untilMs, { sessionId, ranMs, addressHash: line, addresses, day });
}

/** Returns a network check result: alone, full rate, no hour mined yet, except for the fields in `known`. */
export function assessed(known: Partial<Assessed> = {}): Assessed {
  return {
    level: 0,
    factorHundredths: 100,
    isFlagged: false,
    usersOnAddress: 1,
    addressKey: null,
    hourMined: false,
    ...known,
  };
}
