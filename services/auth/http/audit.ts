import type { QueryOf } from '@cord/contracts/endpoint';
import { adminEndpoints } from '@cord/contracts/http/admin';
import { supportEndpoints } from '@cord/contracts/http/support';
import type { AuditFilter } from '@cord/contracts/rpc/audit';
import type { AuditLog, AuditPlace } from '@cord/kit/audit-log';
import type { Http } from '@cord/kit/http';
import { cursor, pageOf } from '@cord/kit/page';
import type { AuditTrail } from '../audit-trail.js';
import type { UserStore } from '../store/users.js';
import type { Undo } from '../undo.js';

const PLACE = cursor<AuditPlace>({ atMs: Number, id: String });

/** Mounts the audit trail of admins, with the names of actors and targets, and the undo of actions. */
export function serveAudit(
  http: Http,
  deps: { auditTrail: AuditTrail; audit: Pick<AuditLog, 'undone'>; undo: Undo; users: UserStore },
): void {
  const { auditTrail, audit, undo, users } = deps;

  http.route(supportEndpoints.audit, async ({ query: { cursor: after, limit, ...wanted } }) => {
    const filter = await filterOf(wanted);
    const { entries, missing } = await auditTrail.newest({ after: PLACE.read(after), limit: limit + 1, filter });
    const { shown, nextCursor } = pageOf(entries, limit, PLACE.of);
    const undoable = shown.filter(({ action }) => undo.has(action));
    const [names, undone] = await Promise.all([
      users.namesOf(shown.flatMap(({ adminId, target }) => [adminId, target])),
      audit.undone(undoable.map(({ id }) => id)),
    ]);
    return {
      entries: shown.map(({ atMs, ...entry }) => ({
        ...entry,
        at: new Date(atMs).toISOString(),
        by: names.get(entry.adminId) ?? null,
        on: names.get(entry.target) ?? null,
        undo: undo.has(entry.action) ? (undone.has(entry.id) ? ('done' as const) : ('open' as const)) : null,
      })),
      nextCursor,
      missing,
    };
  });

  http.route(adminEndpoints.undo, async ({ user, params, body }) => {
    await undo.act(user.id, params.id, body.reason);
    return { undone: true as const };
  });

  /** The value of `on` is a target itself, or the name of an account. */
  async function filterOf(wanted: Omit<QueryOf<typeof supportEndpoints.audit>, 'cursor' | 'limit'>) {
    const named = wanted.on === undefined ? null : await users.byUsername(wanted.on);
    const filter: AuditFilter = {
      ...(wanted.by === undefined ? {} : { adminId: wanted.by }),
      ...(wanted.act === undefined ? {} : { actions: [...new Set(wanted.act.split(','))] }),
      ...(wanted.on === undefined ? {} : { targets: [wanted.on, ...(named ? [named._id] : [])] }),
      ...(wanted.from === undefined ? {} : { fromMs: Date.parse(wanted.from) }),
      ...(wanted.to === undefined ? {} : { toMs: Date.parse(wanted.to) }),
    };
    return filter;
  }
}
