import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@cord/contracts/rules/days';
import { SESSION_MS } from '@cord/contracts/rules/timings';
import { deviceOf } from '@cord/kit/device';
import { signSession } from '@cord/kit/edge/session-token';
import type { Log } from '@cord/kit/log';
import { LoginFailure } from '../domain/login-failure.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Rights } from '../rights.js';
import { SESSIONS_MAX, type SessionStore } from '../store/sessions.js';
import type { UserStore } from '../store/users.js';

/** Issues sign-in sessions: an EdDSA token of 7 days, its jti in the store (services/README.md#sign-in-and-rights). */
export type SessionIssuer = ReturnType<typeof createSessionIssuer>;

/** Maximum number of sessions that one user may begin in 24 hours: every gateway keeps ended ones in memory until the token expires. */
export const SIGN_INS_A_DAY = 200;

/** Creates a session id in advance, so that data that refers to it can be written first. */
export function newSessionId(): string {
  return randomBytes(16).toString('hex');
}

export function createSessionIssuer(deps: {
  users: Pick<UserStore, 'byId'>;
  sessions: SessionStore;
  keys: KeyRing;
  rights: Pick<Rights, 'endSessions'>;
  log: Pick<Log, 'warn'>;
  now: () => number;
}) {
  const { users, sessions, keys, rights, log, now } = deps;

  async function issue(userId: string, sessionId: string, userAgent: string): Promise<string> {
    const nowMs = now();
    if ((await sessions.countSince(userId, nowMs - DAY_MS)) >= SIGN_INS_A_DAY)
      throw new LoginFailure('sign_ins_limited');
    await sessions.insert({
      _id: sessionId,
      userId,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + SESSION_MS,
      lastSeenAtMs: nowMs,
      device: deviceOf(userAgent),
    });
    // An erasure deletes the user first: a session inserted after its deletion of sessions is removed here.
    if (!(await users.byId(userId))) {
      await sessions.remove(sessionId);
      throw new Error('the user was erased while signing in');
    }
    await endOldest(userId, nowMs);
    await sessions.removeOldest(userId, nowMs);
    const { kid, privateKey } = await keys.current();
    return signSession(privateKey, kid, { userId, sessionId, nowMs });
  }

  /** A failure does not fail the sign-in. */
  async function endOldest(userId: string, nowMs: number): Promise<void> {
    const tooMany = (await sessions.ofUser(userId, nowMs)).slice(SESSIONS_MAX);
    const ended = rights.endSessions(tooMany.map((session) => session._id));
    await ended.catch((err: unknown) =>
      log.warn({ err, userId }, 'ending the oldest sessions failed or is not announced yet'),
    );
  }

  return {
    /** Begins a session with this id (`newSessionId`) and returns its token. @throws Error when the user is erased meanwhile, LoginFailure after SIGN_INS_A_DAY */
    issue,
  };
}
