import { adminEndpoints } from '@cord/contracts/http/admin';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { TEXTS } from '@cord/contracts/texts';
import { type AuditLog, logAccountView } from '@cord/kit/audit-log';
import type { Http } from '@cord/kit/http';
import { notFound } from '@cord/kit/problem';
import type { History, MiningNode } from '../node/node.js';
import { miningSession } from './present.js';

/** Mounts the pages of sessions, newest first: one's own, and any user's for operators. */
export function mountHistory(http: Http, node: MiningNode, audit: Pick<AuditLog, 'logView'>): void {
  http.route(miningEndpoints.history, async ({ user, query }) =>
    shown(await node.history(user.id, query)).slice(0, query.limit),
  );

  http.route(adminEndpoints.mining, async (call) => {
    const page = await node.history(call.params.id, call.query);
    if (!page) throw notFound('unknown-user', TEXTS.userNotFound);
    await logAccountView(audit, call, 'mining');
    return { sessions: shown(page), nextCursor: page.nextCursor };
  });
}

function shown(page: History | null) {
  return page?.sessions.map((session) => miningSession(session, page.moment.nowMs)) ?? [];
}
