import { authEndpoints } from '@cord/contracts/http/auth';
import { SESSION_MS } from '@cord/contracts/rules/timings';
import type { Http } from '@cord/kit/http';
import { lru } from '@cord/kit/lru';
import { notFound, unauthorised } from '@cord/kit/problem';
import { isGreeted, welcomeFacts } from '../domain/welcome.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Rights } from '../rights.js';
import type { SignInCookies } from '../signin/oauth-cookie.js';
import type { SessionStore } from '../store/sessions.js';
import type { UserStore } from '../store/users.js';
import type { UserRecords } from '../user-records.js';

/** Minimum interval between writes of a session's last use, ms. */
const SEEN_EVERY_MS = 60_000;
/** Maximum number of sessions whose last write a replica remembers. */
const SEEN_MAX = 50_000;

/** Mounts /auth/me, /auth/logout, /auth/sessions and the public keys (services/auth/README.md#a-sign-in). */
export function serveSession(
  http: Http,
  deps: {
    users: UserStore;
    records: UserRecords;
    sessions: SessionStore;
    rights: Pick<Rights, 'endSessions'>;
    keys: KeyRing;
    cookies: SignInCookies;
  },
): void {
  const { users, records, sessions, rights, keys, cookies } = deps;
  const seenAtMs = lru<string, number>(SEEN_MAX);

  http.route(authEndpoints.me, async ({ user, now, koa }) => {
    const doc = await users.byId(user.id);
    if (!doc) throw unauthorised();
    await noteSeen(user.sessionId, now);
    cookies.hintSession(koa);
    const welcome = welcomeFacts(doc, user.sessionId);
    return { user: await records.of(doc), ...(welcome ? { welcome } : {}) };
  });

  http.route(authEndpoints.acknowledgeWelcome, async ({ user, now }) => {
    await users.change(user.id, now, (latest) =>
      isGreeted(latest, user.sessionId)
        ? { set: { greeting: { ...latest.greeting, isNewUser: false, acknowledged: true } } }
        : null,
    );
    return undefined;
  });

  http.route(authEndpoints.logout, async ({ user, koa, log }) => {
    cookies.clearSession(koa);
    await rights.endSessions([user.sessionId]);
    log.info({ userId: user.id, sessions: 1 }, 'signed out');
    return undefined;
  });

  http.route(authEndpoints.sessions, async ({ user, now }) => {
    const own = await sessions.ofUser(user.id, now);
    return own.map((session) => ({
      id: session._id,
      createdAt: new Date(session.createdAtMs).toISOString(),
      expiresAt: new Date(session.expiresAtMs).toISOString(),
      lastSeenAt: new Date(session.lastSeenAtMs).toISOString(),
      device: session.device,
      current: session._id === user.sessionId,
    }));
  });

  http.route(authEndpoints.endSessions, async ({ user, now, log }) => {
    const others = (await sessions.ofUser(user.id, now)).filter((session) => session._id !== user.sessionId);
    await rights.endSessions(others.map((session) => session._id));
    log.info({ userId: user.id, sessions: others.length }, 'signed out');
    return undefined;
  });

  http.route(authEndpoints.endSession, async ({ user, params, now, koa, log }) => {
    const own = await sessions.ofUser(user.id, now);
    if (!own.some((session) => session._id === params.id)) throw notFound('no-such-session', 'Session not found');
    if (params.id === user.sessionId) cookies.clearSession(koa);
    await rights.endSessions([params.id]);
    log.info({ userId: user.id, sessions: 1 }, 'signed out');
    return undefined;
  });

  http.publicRoute(authEndpoints.jwks, async () => ({ keys: keys.published().map((key) => key.jwk) }));

  async function noteSeen(jti: string, nowMs: number): Promise<void> {
    if (nowMs - (seenAtMs.get(jti) ?? 0) < SEEN_EVERY_MS) return;
    seenAtMs.set(jti, nowMs);
    await sessions.seen(jti, nowMs);
  }
}

/** Lifetime of the session cookie, s: the same as its token's. */
export const SESSION_COOKIE_SECONDS = SESSION_MS / 1000;
