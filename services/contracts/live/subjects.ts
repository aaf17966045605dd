import { NOBODY } from '../events/envelope.js';
import type { LiveKind } from './kinds.js';

/** Plain NATS subject for a kind sent to one user. */
export function liveSubject(kind: LiveKind, userId: string): string {
  return `cord.live.v1.${kind}.${userId}`;
}

/** Subject for a kind sent to everybody: epoch, stats, release, and tasks when the catalogue has changed. */
export function liveSubjectOfAll(kind: LiveKind): string {
  return liveSubject(kind, NOBODY);
}

/** Subject filter of every kind sent to one user. */
export function liveSubjectsOf(userId: string): string {
  return `cord.live.v1.*.${userId}`;
}

/** Returns the kind in a subject: `balance`. */
export function liveKindOf(subject: string): string {
  return subject.split('.')[3] ?? '';
}
