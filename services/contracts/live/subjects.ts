import { NOBODY } from '../events/envelope.js';
import type { LiveKind } from './kinds.js';

/** Subject on plain NATS under which a kind is sent to one user. */
export function liveSubject(kind: LiveKind, userId: string): string {
  return `cord.live.v1.${kind}.${userId}`;
}

/** The same for everybody: epoch, stats and release, and tasks when the catalogue has changed. */
export function liveSubjectOfAll(kind: LiveKind): string {
  return liveSubject(kind, NOBODY);
}

/** Filter of every kind that is sent to one user. */
export function liveSubjectsOf(userId: string): string {
  return `cord.live.v1.*.${userId}`;
}

/** The kind that a subject carries: `balance`. */
export function liveKindOf(subject: string): string {
  return subject.split('.')[3] ?? '';
}
