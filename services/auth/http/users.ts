import type { BodyOf } from '@cord/contracts/endpoint';
import { userEndpoints } from '@cord/contracts/http/users';
import { NOTICE_KINDS, noticeChoice } from '@cord/contracts/rules/notices';
import type { Http } from '@cord/kit/http';
import { badInput, forbidden } from '@cord/kit/problem';
import type { UserDoc } from '../domain/user-doc.js';
import { userSettingsItems } from '../domain/user-events.js';
import { publicView } from '../domain/user-record.js';
import type { Erasure } from '../erasure.js';
import type { UserExport } from '../export.js';
import type { SendToUser } from '../live.js';
import type { SignInCookies } from '../signin/oauth-cookie.js';
import type { UserStore } from '../store/users.js';
import type { UserRecords } from '../user-records.js';
import { requireUser, userNotFound } from './require-user.js';

/**
 * Mounts users, settings, export and erasure. Fixed paths come before `/users/:id`, which would match them as an id.
 */
export function serveUsers(
  http: Http,
  deps: {
    users: UserStore;
    records: UserRecords;
    exportOf: UserExport;
    erasure: Erasure;
    cookies: SignInCookies;
    send: SendToUser;
    /** Publishes a user's events. */
    relay: (userId: string) => void;
  },
): void {
  const { users, records, exportOf, erasure, cookies, send, relay } = deps;

  http.route(userEndpoints.stats, async ({ user }) => records.of(await requireUser(users, user.id)));

  http.route(userEndpoints.updateProfile, async ({ user, body, now }) => updateProfile(user.id, body, now));

  http.route(userEndpoints.byUsername, async ({ params }) => {
    const found = await users.byUsername(params.username);
    if (!found) throw userNotFound();
    return publicView(await records.of(found));
  });

  http.route(userEndpoints.create, async () => {
    throw forbidden('sign-in-only', 'Accounts are created by signing in');
  });

  http.route(userEndpoints.username, async ({ params }) => ({
    username: (await requireUser(users, params.id)).username,
  }));

  http.route(userEndpoints.get, async ({ params, user }) => {
    const record = await records.of(await requireUser(users, params.id));
    return params.id === user.id ? record : publicView(record);
  });

  http.route(userEndpoints.update, async ({ params, body, now }) => updateProfile(params.id, body, now));

  http.route(userEndpoints.getSettings, async ({ params }) => settingsOf(await requireUser(users, params.id)));

  http.route(userEndpoints.putSettings, async ({ params, body, now }) => {
    const chosen = Object.entries(body.notices ?? {}).flatMap(([kind, choice]) => (choice ? [[kind, choice]] : []));
    // Auto-start is relevant only to the user: no event.
    const affectsNotices = chosen.length > 0 || body.notifications !== undefined || body.quietHours !== undefined;
    const changed = await users.change(params.id, now, ({ autoStart, notifications, notices }) => ({
      set: {
        autoStart: body.autoStart ?? autoStart,
        notifications: body.notifications ?? notifications,
        ...(body.quietHours !== undefined ? { quietHours: body.quietHours } : {}),
        ...(chosen.length > 0 ? { notices: { ...notices, ...Object.fromEntries(chosen) } } : {}),
      },
      ...(affectsNotices ? { events: (user) => userSettingsItems(user, now) } : {}),
    }));
    if (!changed) throw userNotFound();
    if (affectsNotices) relay(params.id);
    return settingsOf(changed);
  });

  http.route(userEndpoints.export, async ({ params, now, koa, log }) => {
    const file = await exportOf(await requireUser(users, params.id), now);
    log.info({ userId: params.id }, 'data exported');
    koa.set('Content-Disposition', 'attachment; filename="cord-export.json"');
    return file;
  });

  http.route(userEndpoints.remove, async ({ params, body, koa, log }) => {
    const user = await requireUser(users, params.id);
    if (body.confirm !== user.username) throw badInput('confirm', 'must be your username');
    cookies.clearSession(koa);
    await erasure.erase(user);
    log.info({ userId: params.id }, 'account erased');
    return undefined;
  });

  /** Only locale and theme can be changed; every other field of the record is ignored. */
  async function updateProfile(userId: string, body: BodyOf<typeof userEndpoints.update>, nowMs: number) {
    let isNew = false;
    let affectsNotices = false;
    const change = (user: UserDoc) => {
      const { locale = user.locale, theme = user.theme } = body;
      affectsNotices = locale !== user.locale;
      isNew = affectsNotices || theme !== user.theme;
      const events = (after: UserDoc) => userSettingsItems(after, nowMs);
      return isNew ? { set: { locale, theme }, ...(affectsNotices ? { events } : {}) } : null;
    };
    const changed = await users.change(userId, nowMs, change);
    if (!changed) throw userNotFound();
    if (affectsNotices) relay(userId);
    if (isNew) send(userId, { locale: changed.locale, theme: changed.theme });
    return records.of(changed);
  }
}

function settingsOf({ autoStart, notifications, notices = {}, quietHours = null }: UserDoc) {
  const chosen = NOTICE_KINDS.map((kind) => [kind, noticeChoice(notices, kind)]);
  return { autoStart, notifications, notices: Object.fromEntries(chosen), quietHours };
}
