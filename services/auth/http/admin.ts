import { supportEndpoints } from '@cord/contracts/http/support';
import { TEXTS } from '@cord/contracts/texts';
import type { Http } from '@cord/kit/http';
import { badInput, notFound } from '@cord/kit/problem';
import type { Admin } from '../admin.js';
import { levelOf } from '../anticheat/levels.js';
import type { AntiCheat } from '../anticheat/port.js';
import { anticheatStatusOf } from '../anticheat/view.js';
import type { AuditTrail } from '../audit-trail.js';
import { adminSupportView } from '../domain/support-view.js';
import type { SupportDoc, SupportStore } from '../store/support.js';
import type { UserStore } from '../store/users.js';
import type { UserRecords } from '../user-records.js';

const ADDRESSES_LISTED = 200;

/** What admins see and do. Every act stands in the audit log before it is done (design.md, Sign-in and rights). */
export function serveAdmin(
  http: Http,
  deps: {
    admin: Admin;
    users: UserStore;
    records: UserRecords;
    support: SupportStore;
    auditTrail: AuditTrail;
    antiCheat: AntiCheat;
  },
): void {
  const { admin, users, records, support, auditTrail, antiCheat } = deps;

  http.route(supportEndpoints.queue, async ({ query: { status = null, cursor, limit } }) => {
    const after = cursor === undefined ? null : await support.byId(cursor);
    if (cursor !== undefined && !after) throw badInput('cursor', 'must be the id of a request');
    return withAuthors(await support.queue({ status, after, limit }));
  });

  http.route(supportEndpoints.answer, async ({ user, params, body }) => {
    const answered = await admin.answer(user.id, params.id, body);
    if (!answered) throw notFound('no-such-request', 'Request not found');
    return adminSupportView(answered, (await users.byId(answered.userId))?.username ?? null);
  });

  http.route(supportEndpoints.audit, async ({ query, koa }) => {
    const { entries, missing } = await auditTrail.newest(query.limit);
    // The list is an array by its shape; what it lacks is said beside it.
    if (missing.length > 0) koa.set('Warning', `199 - "without ${missing.join(', ')}"`);
    return entries.map(({ atMs, ...entry }) => ({ ...entry, at: new Date(atMs).toISOString() }));
  });

  http.route(supportEndpoints.addresses, async () => {
    const crowded = await antiCheat.crowded({ after: null, limit: ADDRESSES_LISTED });
    return crowded.map(({ _id, users: accounts, shared, seenAtMs }) => ({
      key: _id,
      users: accounts,
      level: shared ? 0 : levelOf(accounts).penaltyLevel,
      shared,
      seenAt: new Date(seenAtMs).toISOString(),
    }));
  });

  http.route(supportEndpoints.markAddress, async ({ user, params, body }) => {
    if (!(await admin.markAddress(user.id, params.key, body))) throw notFound('no-such-address', 'Address not found');
    return { key: params.key, shared: body.shared };
  });

  http.route(supportEndpoints.userDetail, async ({ params }) => detailOf(params.id));

  http.route(supportEndpoints.changeUser, async ({ user, params, body }) => {
    if (!(await users.byId(params.id))) throw notFound('no-such-user', TEXTS.userNotFound);
    await admin.changeUser(user.id, params.id, body);
    return detailOf(params.id);
  });

  async function detailOf(userId: string) {
    const found = await users.byId(userId);
    if (!found) throw notFound('no-such-user', TEXTS.userNotFound);
    const [record, assessment, requests] = await Promise.all([
      records.of(found),
      antiCheat.status(userId),
      support.ofUser(userId),
    ]);
    return {
      ...record,
      anticheat: anticheatStatusOf(assessment),
      addressKey: assessment.addressHash,
      support: requests.map((request) => adminSupportView(request, found.username)),
    };
  }

  /** The authors' names are read together: a page of the queue is one more read, however long it is. */
  async function withAuthors(requests: readonly SupportDoc[]) {
    const names = await users.namesOf(requests.map(({ userId }) => userId));
    return requests.map((request) => adminSupportView(request, names.get(request.userId) ?? null));
  }
}
