import { DELETED_NAME } from '@cord/contracts/texts';
import type { SupportDoc } from './support-events.js';

/** Converts a request for its author (contracts, supportRequest). */
export function supportView(request: SupportDoc) {
  return {
    id: request._id,
    kind: request.kind,
    subject: request.subject,
    text: request.text,
    status: request.status,
    answer: request.answer,
    createdAt: new Date(request.createdAtMs).toISOString(),
    answeredAt: request.answeredAtMs === null ? null : new Date(request.answeredAtMs).toISOString(),
  };
}

/** Converts a request for admins, with its author; an erased author has no name. */
export function adminSupportView(request: SupportDoc, nameOf: (userId: string) => string | null, nowMs: number) {
  return {
    ...supportView(request),
    userId: request.userId,
    username: nameOf(request.userId) ?? DELETED_NAME,
    priority: request.priority,
    taken: takenView(request, nameOf, nowMs),
  };
}

/** How long a taken request stays taken without activity, ms: an absent operator must not block it. */
export const TAKEN_MS = 30 * 60_000;

/** Returns the admin who has taken it; null after half an hour. */
export function currentAssignee(
  { takenBy, takenAtMs }: SupportDoc,
  nowMs: number,
): { by: string; atMs: number } | null {
  if (takenBy == null || takenAtMs == null || takenAtMs <= nowMs - TAKEN_MS) return null;
  return { by: takenBy, atMs: takenAtMs };
}

function takenView(request: SupportDoc, nameOf: (userId: string) => string | null, nowMs: number) {
  const taken = currentAssignee(request, nowMs);
  return taken && { by: taken.by, username: nameOf(taken.by) ?? DELETED_NAME, at: new Date(taken.atMs).toISOString() };
}
