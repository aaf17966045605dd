import { supportEndpoints } from '@cord/contracts/http/support';
import { TEXTS } from '@cord/contracts/texts';
import type { AuditPlace } from '@cord/kit/audit-log';
import type { Cause } from '@cord/kit/cause';
import type { Http } from '@cord/kit/http';
import { pageOf } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import type { Admin } from '../admin.js';
import { levelOf } from '../anticheat/levels.js';
import type { AddressPlace, AntiCheat, CountedAddress } from '../anticheat/port.js';
import { anticheatStatusOf } from '../anticheat/view.js';
import type { AuditTrail } from '../audit-trail.js';
import { adminSupportView } from '../domain/support-view.js';
import type { SupportDoc, SupportPlace, SupportStore } from '../store/support.js';
import type { UserStore } from '../store/users.js';
import type { UserRecords } from '../user-records.js';

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
    const after = cursor === undefined ? null : supportPlaceOf(cursor);
    const found = await support.queue({ status, after, limit: limit + 1 });
    const { shown, nextCursor } = pageOf(found, limit, supportCursorOf);
    return { requests: await withAuthors(shown), nextCursor };
  });

  http.route(supportEndpoints.answer, async ({ user, params, body }) => {
    const answered = await admin.answer(user.id, params.id, body);
    if (!answered) throw notFound('no-such-request', 'Request not found');
    return adminSupportView(answered, (await users.byId(answered.userId))?.username ?? null);
  });

  http.route(supportEndpoints.audit, async ({ query: { cursor, limit }, cause }) => {
    const after = cursor === undefined ? null : auditPlaceOf(cursor);
    const { entries, missing } = await auditTrail.newest({ after, limit: limit + 1 }, cause);
    const { shown, nextCursor } = pageOf(entries, limit, (last) => `${last.atMs}-${last.id}`);
    return {
      entries: shown.map(({ atMs, ...entry }) => ({ ...entry, at: new Date(atMs).toISOString() })),
      nextCursor,
      missing,
    };
  });

  http.route(supportEndpoints.addresses, async ({ query: { cursor, limit } }) => {
    const after = cursor === undefined ? null : addressPlaceOf(cursor);
    const found = await antiCheat.crowded({ after, limit: limit + 1 });
    const { shown, nextCursor } = pageOf(found, limit, (last) => `${last.users}-${last._id}`);
    return { addresses: shown.map(addressView), nextCursor };
  });

  http.route(supportEndpoints.markAddress, async ({ user, params, body, cause }) => {
    if (!(await admin.markAddress(user.id, params.key, body, cause)))
      throw notFound('no-such-address', 'Address not found');
    return { key: params.key, shared: body.shared };
  });

  http.route(supportEndpoints.userDetail, async ({ params, cause }) => detailOf(params.id, cause));

  http.route(supportEndpoints.changeUser, async ({ user, params, body, cause }) => {
    if (!(await users.byId(params.id))) throw notFound('no-such-user', TEXTS.userNotFound);
    await admin.changeUser(user.id, params.id, body, cause);
    return detailOf(params.id, cause);
  });

  async function detailOf(userId: string, cause: Cause) {
    const found = await users.byId(userId);
    if (!found) throw notFound('no-such-user', TEXTS.userNotFound);
    const [record, assessment, requests] = await Promise.all([
      records.of(found, cause),
      antiCheat.status(userId, cause),
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

function addressView({ _id, users, shared, seenAtMs }: CountedAddress) {
  const level = shared ? 0 : levelOf(users).penaltyLevel;
  return { key: _id, users, level, shared, seenAt: new Date(seenAtMs).toISOString() };
}

function supportCursorOf({ priority, createdAtMs, _id }: SupportPlace): string {
  return `${priority ? 1 : 0}-${createdAtMs}-${_id}`;
}

function supportPlaceOf(cursor: string): SupportPlace {
  const [priority, createdAtMs, id = ''] = cursor.split('-');
  return { priority: priority === '1', createdAtMs: Number(createdAtMs), _id: id };
}

function addressPlaceOf(cursor: string): AddressPlace {
  const [users, id = ''] = cursor.split('-');
  return { users: Number(users), _id: id };
}

function auditPlaceOf(cursor: string): AuditPlace {
  const [atMs, id = ''] = cursor.split('-');
  return { atMs: Number(atMs), id };
}
