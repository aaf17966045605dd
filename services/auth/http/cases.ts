import { supportEndpoints } from '@cord/contracts/http/support';
import type { Http } from '@cord/kit/http';
import { pageOf } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import type { Admin } from '../admin.js';
import type { SupportDoc } from '../domain/support-events.js';
import { adminSupportView } from '../domain/support-view.js';
import type { Overview } from '../operators/overview.js';
import type { SupportPlace, SupportStore } from '../store/support.js';
import type { UserStore } from '../store/users.js';

/** Maximum number of authors matched by a search for a name. */
const NAMED_MAX = 50;
/** An id of a request, or its beginning. */
const ID_BEGIN = /^[0-9a-f]{2,32}$/;

/** Mounts the operators' view of support cases: queue, single case, assignment, answer. */
export function serveCases(
  http: Http,
  deps: { admin: Admin; users: UserStore; support: SupportStore; overview: Pick<Overview, 'forget'> },
): void {
  const { admin, users, support, overview } = deps;

  http.route(supportEndpoints.queue, async ({ user, query, now }) => {
    await admin.readSupport(user.id, 'queue');
    const { status = null, kind = null, search, cursor, limit } = query;
    const after = cursor === undefined ? null : placeOf(cursor);
    const found = search === undefined ? null : await searchCases(search);
    const requests = await support.queue({ status, kind, found, after, limit: limit + 1 });
    const { shown, nextCursor } = pageOf(requests, limit, cursorOf);
    return { requests: await views(shown, now), nextCursor };
  });

  http.route(supportEndpoints.oneCase, async ({ user, params, now }) => {
    const request = await support.byId(params.id);
    if (request) await admin.readSupport(user.id, request._id);
    return view(request, now);
  });

  http.route(supportEndpoints.take, async ({ user, params, body, now }) =>
    view(await admin.take(user.id, params.id, body.taken), now),
  );

  http.route(supportEndpoints.answer, async ({ user, params, body, now }) => {
    const answered = await admin.answer(user.id, params.id, body);
    overview.forget();
    return view(answered, now);
  });

  async function searchCases(search: string) {
    const term = search.toLowerCase();
    return { userIds: await users.namedLike(term, NAMED_MAX), idPrefix: ID_BEGIN.test(term) ? term : null };
  }

  async function view(request: SupportDoc | null, nowMs: number) {
    const [found] = request ? await views([request], nowMs) : [];
    if (!found) throw notFound('no-such-request', 'Request not found');
    return found;
  }

  /** Reads all names at once: a page of the queue needs one more read, whatever its length. */
  async function views(requests: readonly SupportDoc[], nowMs: number) {
    const ids = requests.flatMap(({ userId, takenBy }) => (takenBy == null ? [userId] : [userId, takenBy]));
    const names = await users.namesOf(ids);
    return requests.map((request) => adminSupportView(request, (userId) => names.get(userId) ?? null, nowMs));
  }
}

function cursorOf({ priority, createdAtMs, _id }: SupportPlace): string {
  return `${priority ? 1 : 0}-${createdAtMs}-${_id}`;
}

function placeOf(cursor: string): SupportPlace {
  const [priority, createdAtMs, id = ''] = cursor.split('-');
  return { priority: priority === '1', createdAtMs: Number(createdAtMs), _id: id };
}
