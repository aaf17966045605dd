import { DELETED_NAME } from '@cord/contracts/texts';
import type { AuditLog } from '@cord/kit/audit-log';
import { conflict, type Problem, refused } from '@cord/kit/problem';
import { alreadyChanged, ownAccountRefused } from '@cord/kit/second-operator';
import type { AntiCheat } from './anticheat/port.js';
import { roleByAdmin, sameRole } from './domain/role.js';
import type { AnsweredNetwork, SupportDoc } from './domain/support-events.js';
import { currentAssignee, TAKEN_MS } from './domain/support-view.js';
import type { SendToUser } from './live.js';
import type { Rights } from './rights.js';
import type { SessionStore } from './store/sessions.js';
import type { SupportStore } from './store/support.js';
import type { UserStore } from './store/users.js';

/** The actions of admins. Each is written to the audit log first. */
export type Admin = ReturnType<typeof createAdmin>;

/** The reason for an action. */
export interface Reasoned {
  reason: string;
  /** The entry of the audit log that this action undoes. */
  undoes?: string;
}

interface UserAct extends Reasoned {
  cleared?: boolean | undefined;
  admin?: boolean | undefined;
}

interface AddressAct extends Reasoned {
  shared: boolean;
  /** The user whom the reason concerns. */
  about?: string | undefined;
}

export function createAdmin(deps: {
  audit: AuditLog;
  support: SupportStore;
  users: UserStore;
  antiCheat: AntiCheat;
  rights: Rights;
  sessions: Pick<SessionStore, 'ofUser'>;
  send: SendToUser;
  /** Publishes the events of a request. */
  relayAnswer: (requestId: string) => void;
  /** Whether an admin's account needs a second factor at Discord. */
  needsSecondFactor: boolean;
  now: () => number;
}) {
  const { audit, support, users, antiCheat, rights, sessions, send, relayAnswer, needsSecondFactor, now } = deps;

  /** Logs an action on or about a user. If the user was erased meanwhile, the entry's personal data is removed too. */
  async function writeOf(userId: string, act: Parameters<AuditLog['write']>[0]) {
    await audit.write(act);
    if (!(await users.byId(userId))) await audit.forget(userId);
  }

  /** @param seq version of the user on which the decision was based @throws Problem 409 when the user has changed since */
  async function setAdmin(userId: string, isAdmin: boolean, seq?: number): Promise<boolean> {
    const role = roleByAdmin(isAdmin);
    let isNew = false;
    const changed = await users.change(userId, now(), (user) => {
      isNew = !sameRole(user, role);
      if (isNew && seq !== undefined && user.seq !== seq) throw alreadyChanged();
      return isNew ? { set: role } : null;
    });
    if (!changed) return false;
    await rights.publishRole(userId);
    if (isNew) send(userId, { isAdmin });
    return true;
  }

  /** @throws Problem 409 when a request is taken by another admin */
  async function requireDesk(adminId: string, request: SupportDoc): Promise<void> {
    const taken = currentAssignee(request, now());
    if (taken === null || taken.by === adminId) return;
    const name = (await users.byId(taken.by))?.username ?? DELETED_NAME;
    throw conflict('taken-by-another', `${name} is already working on this.`);
  }

  /** Returns an author's last assessment: the rate in force. Empty for a user who was never assessed. */
  async function networkOf(userId: string): Promise<{ network?: AnsweredNetwork }> {
    const standing = (await antiCheat.standings([userId])).get(userId);
    if (standing === undefined) return {};
    const { penaltyLevel: level, isFlagged, wholeSinceMs = null } = standing;
    return { network: { level, isFlagged, wholeSinceMs: level === 0 ? wholeSinceMs : null } };
  }

  return {
    /** @returns null when the request does not exist @throws Problem 409 when another admin has taken it, or it is not open */
    async take(adminId: string, requestId: string, taken: boolean) {
      const request = await support.byId(requestId);
      if (!request) return null;
      if (!taken) {
        await support.putBack(requestId, adminId);
        return support.byId(requestId);
      }
      const nowMs = now();
      const mine = await support.take(requestId, adminId, nowMs, nowMs - TAKEN_MS);
      if (mine) return mine;
      const stands = await support.byId(requestId);
      if (stands) await requireDesk(adminId, stands);
      throw alreadyAnswered();
    },
    /** Logs that an admin read the accounts of an address. */
    looked: (adminId: string, key: string) => audit.logView({ adminId, action: 'address.looked-up', target: key }),
    /** Logs that an admin read a user's record, network record or sessions. */
    lookedUp: (adminId: string, userId: string, at: 'record' | 'network' | 'sessions') =>
      audit.logView({ adminId, action: 'user.looked-up', target: userId, at }),
    /** Logs that an admin read a support request, or with `queue` the texts in the queue. */
    readSupport: (adminId: string, requestId: string) =>
      audit.logView({ adminId, action: 'support.looked-up', target: requestId }),
    /** Signs a user out everywhere and returns the number of sessions. @throws Problem 422 for one's own sessions */
    async endSessions(adminId: string, userId: string, act: Reasoned) {
      if (adminId === userId) throw refused('own-sessions', 'End your own sessions in Settings.');
      const held = await sessions.ofUser(userId, now());
      const detail = { ...act, sessions: held.length };
      await writeOf(userId, { adminId, action: 'sessions.ended', target: userId, detail });
      // Revokes by user, which also ends sessions that begin meanwhile or are not stored.
      await rights.revokeUser(userId);
      return held.length;
    },
    /** Answers an open request. @returns null when it does not exist @throws Problem 409 when another admin has taken it, or it has another answer */
    async answer(adminId: string, requestId: string, { answer, close }: { answer: string; close: boolean }) {
      const request = await support.byId(requestId);
      if (!request) return null;
      const status = close ? 'closed' : 'answered';
      if (request.status !== 'open') {
        // A retry, after its response was lost.
        if (request.status === status && request.answer === answer) return request;
        throw alreadyAnswered();
      }
      await requireDesk(adminId, request);
      // The answer is stored with the request and erased with its author; the log outlives both.
      await audit.write({ adminId, action: `support.${status}`, target: requestId, detail: { kind: request.kind } });
      const network = request.kind === 'appeal' ? await networkOf(request.userId) : {};
      const answered = await support.answer(requestId, { answer, status, ...network, nowMs: now() });
      if (!answered && (await support.byId(requestId))) throw alreadyAnswered();
      relayAnswer(requestId);
      return answered;
    },
    /** @throws Problem 403 when an admin marks one of their own addresses as shared, 409 when it was marked or unmarked meanwhile */
    async markAddress(adminId: string, key: string, { shared, about, ...why }: AddressAct) {
      if (shared && (await antiCheat.addressesOf(adminId)).some(({ _id }) => _id === key)) throw ownAccountRefused();
      const action = shared ? 'address.shared' : 'address.unshared';
      const act = { adminId, action, target: key, detail: { ...why }, about };
      // The state before the log entry: a delayed action must not undo a later one.
      const from = await antiCheat.address(key);
      await (about === undefined ? audit.write(act) : writeOf(about, act));
      return antiCheat.markShared(key, shared, from);
    },
    /** @throws Problem 403 for clearing oneself, 422 for removing one's own role or granting it without a second factor, 409 when the account has changed */
    async changeUser(adminId: string, userId: string, { cleared, admin, ...why }: UserAct) {
      // A clear raises one's own rate: as with corrections, another operator decides.
      if (cleared === true && adminId === userId) throw ownAccountRefused();
      if (admin === false && adminId === userId) throw refused('own-role', 'You cannot remove your own admin role.');
      if (admin === true && needsSecondFactor && (await users.byId(userId))?.secondFactor !== true) {
        const how = 'The user must turn it on there and sign in again before the role can be given.';
        throw refused(
          'no-second-factor',
          `This account did not use two-factor authentication on Discord when it last signed in. ${how}`,
        );
      }
      const act = { adminId, target: userId, detail: { ...why } };
      // The state before the log entry: a delayed action must not undo a later one.
      if (cleared !== undefined) {
        const from = (await antiCheat.standings([userId])).get(userId) ?? { cleared: false };
        await writeOf(userId, { ...act, action: cleared ? 'user.cleared' : 'user.uncleared' });
        await antiCheat.clear(userId, cleared, from);
      }
      if (admin !== undefined) {
        const { seq } = (await users.byId(userId)) ?? {};
        await writeOf(userId, { ...act, action: admin ? 'role.admin' : 'role.user' });
        await setAdmin(userId, admin, seq);
      }
    },
    /** Grants or removes the role; services receive it within a second. */
    setAdmin,
  };
}

function alreadyAnswered(): Problem {
  return conflict('not-open', 'This has already been answered.');
}
