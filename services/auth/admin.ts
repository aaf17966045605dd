import { DELETED_NAME } from '@cord/contracts/texts';
import type { AuditLog } from '@cord/kit/audit-log';
import { conflict, type Problem, refused } from '@cord/kit/problem';
import { noLongerSo, ownAccount } from '@cord/kit/second-operator';
import type { AntiCheat } from './anticheat/port.js';
import { roleByAdmin, sameRole } from './domain/role.js';
import type { AnsweredNetwork, SupportDoc } from './domain/support-events.js';
import { TAKEN_MS, takenNow } from './domain/support-view.js';
import type { SendToUser } from './live.js';
import type { Rights } from './rights.js';
import type { SessionStore } from './store/sessions.js';
import type { SupportStore } from './store/support.js';
import type { UserStore } from './store/users.js';

/** The acts of admins, each written to the audit log first. */
export type Admin = ReturnType<typeof createAdmin>;

/** Why an act is done. */
export interface Reasoned {
  reason: string;
  /** The entry of the audit log that it undoes. */
  undoes?: string;
}

interface UserAct extends Reasoned {
  cleared?: boolean | undefined;
  admin?: boolean | undefined;
}

interface AddressAct extends Reasoned {
  shared: boolean;
  /** The user whom the reason is about. */
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
  /** Sends what is to be published of a request. */
  relayAnswer: (requestId: string) => void;
  /** Whom the role is given has a second factor at Discord. */
  needsSecondFactor: boolean;
  now: () => number;
}) {
  const { audit, support, users, antiCheat, rights, sessions, send, relayAnswer, needsSecondFactor, now } = deps;

  /** An act on a user, or about one. An erasure that has passed meanwhile takes along what was written. */
  async function writeOf(userId: string, act: Parameters<AuditLog['write']>[0]) {
    await audit.write(act);
    if (!(await users.byId(userId))) await audit.forget(userId);
  }

  /** @param seq of the user that it was decided on @throws Problem 409 where the user is another by now */
  async function setAdmin(userId: string, isAdmin: boolean, seq?: number): Promise<boolean> {
    const role = roleByAdmin(isAdmin);
    let isNew = false;
    const changed = await users.change(userId, now(), (user) => {
      isNew = !sameRole(user, role);
      if (isNew && seq !== undefined && user.seq !== seq) throw noLongerSo();
      return isNew ? { set: role } : null;
    });
    if (!changed) return false;
    await rights.publishRole(userId);
    if (isNew) send(userId, { isAdmin });
    return true;
  }

  /** @throws Problem 409 where a request is on another's desk */
  async function requireDesk(adminId: string, request: SupportDoc): Promise<void> {
    const taken = takenNow(request, now());
    if (taken === null || taken.by === adminId) return;
    const name = (await users.byId(taken.by))?.username ?? DELETED_NAME;
    throw conflict('taken-by-another', `${name} is already working on this.`);
  }

  /** How an author stands as last assessed: the rate in force. Empty for who never was. */
  async function networkOf(userId: string): Promise<{ network?: AnsweredNetwork }> {
    const standing = (await antiCheat.standings([userId])).get(userId);
    if (standing === undefined) return {};
    const { penaltyLevel: level, isFlagged, wholeSinceMs = null } = standing;
    return { network: { level, isFlagged, wholeSinceMs: level === 0 ? wholeSinceMs : null } };
  }

  return {
    /** @returns null where there is no such request @throws Problem 409 where it is on another's desk or is not open */
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
      throw notOpen();
    },
    /** Notes that an admin looked at who counts at an address. */
    looked: (adminId: string, key: string) => audit.look({ adminId, action: 'address.looked-up', target: key }),
    /** Notes that an admin looked at a user's record, network record or sessions. */
    lookedUp: (adminId: string, userId: string, at: 'record' | 'network' | 'sessions') =>
      audit.look({ adminId, action: 'user.looked-up', target: userId, at }),
    /** Notes that an admin read a support request, or by `queue` the texts of those in the queue. */
    readSupport: (adminId: string, requestId: string) =>
      audit.look({ adminId, action: 'support.looked-up', target: requestId }),
    /** Signs a user out everywhere; how many sessions that were. @throws Problem 422 for the own ones */
    async endSessions(adminId: string, userId: string, act: Reasoned) {
      if (adminId === userId) throw refused('own-sessions', 'End your own sessions in Settings.');
      const held = await sessions.ofUser(userId, now());
      const detail = { ...act, sessions: held.length };
      await writeOf(userId, { adminId, action: 'sessions.ended', target: userId, detail });
      // By the user: a session that begins meanwhile, or that was not noted, ends as well.
      await rights.revokeUser(userId);
      return held.length;
    },
    /** Answers an open request. @returns null where there is no such request @throws Problem 409 where it is on another's desk or has another answer */
    async answer(adminId: string, requestId: string, { answer, close }: { answer: string; close: boolean }) {
      const request = await support.byId(requestId);
      if (!request) return null;
      const status = close ? 'closed' : 'answered';
      if (request.status !== 'open') {
        // The same call once more, after its response was lost.
        if (request.status === status && request.answer === answer) return request;
        throw notOpen();
      }
      await requireDesk(adminId, request);
      // The answer stands with the request and goes with its author; the log outlives both.
      await audit.write({ adminId, action: `support.${status}`, target: requestId, detail: { kind: request.kind } });
      const network = request.kind === 'appeal' ? await networkOf(request.userId) : {};
      const answered = await support.answer(requestId, { answer, status, ...network, nowMs: now() });
      if (!answered && (await support.byId(requestId))) throw notOpen();
      relayAnswer(requestId);
      return answered;
    },
    /** @throws Problem 403 where an admin would mark an address of their own as shared, 409 where others have marked it meanwhile */
    async markAddress(adminId: string, key: string, { shared, about, ...why }: AddressAct) {
      if (shared && (await antiCheat.addressesOf(adminId)).some(({ _id }) => _id === key)) throw ownAccount();
      const action = shared ? 'address.shared' : 'address.unshared';
      const act = { adminId, action, target: key, detail: { ...why }, about };
      // One that stalls behind its line in the log takes no later act back.
      const from = await antiCheat.address(key);
      await (about === undefined ? audit.write(act) : writeOf(about, act));
      return antiCheat.markShared(key, shared, from);
    },
    /** @throws Problem 403 when an admin would clear themselves, 422 when one would take the own role, or give it to an account without a second factor, 409 where the account has changed meanwhile */
    async changeUser(adminId: string, userId: string, { cleared, admin, ...why }: UserAct) {
      // It multiplies the own rate: as with corrections, another operator decides.
      if (cleared === true && adminId === userId) throw ownAccount();
      if (admin === false && adminId === userId) throw refused('own-role', 'You cannot remove your own admin role.');
      if (admin === true && needsSecondFactor && (await users.byId(userId))?.secondFactor !== true) {
        const how = 'The user must turn it on there and sign in again before the role can be given.';
        throw refused(
          'no-second-factor',
          `This account did not use two-factor authentication on Discord when it last signed in. ${how}`,
        );
      }
      const act = { adminId, target: userId, detail: { ...why } };
      // One that stalls behind its line in the log takes no later act back.
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
    /** Gives or takes the role; services get it within a second. */
    setAdmin,
  };
}

function notOpen(): Problem {
  return conflict('not-open', 'This has already been answered.');
}
