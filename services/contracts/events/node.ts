import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, integerText, timeMs } from './envelope.js';

/** A mining session at each change of state. `started` repeats with a later `seq` when a running session's addresses change. `seq` is the ledger account's. */
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
  /** HMAC of the user's last network address; absent where it never counts (services/contracts/rules/README.md#network-check). */
  addressHash: z.string().optional(),
  /**
   * Node time per recent address, attributed by contacts: the keyed hash of the address and the credited ms of all sessions there. `ms`
   * only rises while the address stays in the list. An address that returns after it was dropped starts a new count; `fromRanMs`, the node
   * time at the start of the count, tells the counts apart.
   */
  addresses: z.array(z.object({ hash: z.string(), ms: z.number().int(), fromRanMs: z.number().int() })),
  /** Credited ms of all sessions in the user's current UTC day; a key of another day means 0 ms today. */
  day: z.object({ dayKey: z.string(), ms: z.number().int() }),
};

export const nodeStarted = eventKind('node', 'started', 2_048, sessionShape);
export const nodePaused = eventKind('node', 'paused', 2_048, sessionShape);
export const nodeStopped = eventKind('node', 'stopped', 2_048, sessionShape);
