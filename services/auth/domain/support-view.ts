import { DELETED_NAME } from '@cord/contracts/texts';
import type { SupportDoc } from '../store/support.js';

/** A request as its author sees it (contracts, supportRequest). */
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

/** A request as admins see it: with its author; the name of an erased one is gone. */
export function adminSupportView(request: SupportDoc, username: string | null) {
  return {
    ...supportView(request),
    userId: request.userId,
    username: username ?? DELETED_NAME,
    priority: request.priority,
  };
}
