import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, integerText, timeMs } from './envelope.js';

/** A mining session at a change of state. `seq` is the ledger account's. */
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
  /** HMAC of the network address the session was started from; absent where it never counts (decisions, anti-cheat). */
  addressHash: z.string().optional(),
};

export const nodeStarted = eventKind('node', 'started', sessionShape);
export const nodePaused = eventKind('node', 'paused', sessionShape);
export const nodeStopped = eventKind('node', 'stopped', sessionShape);
