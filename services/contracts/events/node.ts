import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, integerText, timeMs } from './envelope.js';

/** A mining session at a change of state, and again while it runs and its addresses change: `started` once more, with a later `seq`. `seq` is the ledger account's. */
const sessionShape = {
  sessionId: id128,
  startedAt: timeMs,
  /** Credited up to here, ms since epoch. */
  creditedUntil: timeMs,
  leaseUntil: timeMs,
  /** micro-CORD credited in this session. */
  earnings: integerText,
  /** Credited ms of this session. */
  sessionMs: z.number().int(),
  /** Credited ms of all sessions, this one included. */
  ranMs: z.number().int(),
  /** HMAC of the network address the user was last seen at; absent where it never counts (services/contracts/rules/README.md#network-check). */
  addressHash: z.string().optional(),
  /**
   * Where the node's time was, by the contacts that it followed: of the last addresses the keyed hash, and credited ms of
   * all sessions, which only rise while an address stays among them. One that comes back after it was forgotten is counted anew: `fromRanMs`, the
   * node's time when the count began, separates the counts.
   */
  addresses: z.array(z.object({ hash: z.string(), ms: z.number().int(), fromRanMs: z.number().int() })),
  /** Credited ms of all sessions in the user's present UTC day; another day's key is 0 ms of today. */
  day: z.object({ dayKey: z.string(), ms: z.number().int() }),
};

export const nodeStarted = eventKind('node', 'started', 2_048, sessionShape);
export const nodePaused = eventKind('node', 'paused', 2_048, sessionShape);
export const nodeStopped = eventKind('node', 'stopped', 2_048, sessionShape);
