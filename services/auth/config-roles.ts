import { NOBODY } from '@cord/contracts/events/envelope';
import type { AuditLog } from '@cord/kit/audit-log';
import { type RoleState, roleByConfig, sameRole } from './domain/role.js';
import type { UserDoc } from './domain/user-doc.js';
import type { Rights } from './rights.js';
import type { UserStore } from './store/users.js';

/** Roles from ADMIN_DISCORD_IDS, in the audit log like those granted by admins (services/README.md#sign-in-and-rights). */
export type ConfigRoles = ReturnType<typeof createConfigRoles>;

/** The user fields that decide on a role. */
type Listed = RoleState & Pick<UserDoc, 'discordId' | 'secondFactor'>;

export function createConfigRoles(deps: {
  discordIds: readonly string[];
  /** An admin's account must have a second factor at Discord. */
  needsSecondFactor: boolean;
  audit: AuditLog;
  users: UserStore;
  rights: Pick<Rights, 'publishRole'>;
  now: () => number;
}) {
  const { discordIds, needsSecondFactor, audit, users, rights, now } = deps;
  const byList = (user: Listed) => roleByConfig(user, discordIds.includes(user.discordId));
  const isWithheld = (user: Listed) => needsSecondFactor && !user.secondFactor && byList(user).isAdmin;
  const of = (user: Listed): RoleState =>
    isWithheld(user) ? { ...byList(user), isAdmin: false, roleFrom: null } : byList(user);

  async function note(userId: string, before: Listed, after: RoleState): Promise<void> {
    if (before.isAdmin === after.isAdmin) return;
    const action = after.isAdmin ? 'role.admin' : 'role.user';
    const by = isWithheld(before) ? 'second-factor' : 'ADMIN_DISCORD_IDS';
    await audit.write({ adminId: NOBODY, action, target: userId, detail: { by } });
  }

  return {
    /**
     * Returns a new user's role before the list applies. After an erasure it is denied until an admin grants it, so
     * that an erasure restores no role. Without any admin, the list alone decides.
     */
    async begin(wasErased: boolean): Promise<RoleState> {
      const waits = wasErased && (await users.admins()).length > 0;
      return { isAdmin: false, roleFrom: null, configDenied: waits };
    },
    /** Returns a user's role by the list and the second factor. */
    of,
    /** Returns whether the user would be an admin with a second factor at Discord. */
    isWithheld,
    /** Logs the role change of a sign-in in advance. */
    noteSignIn: (user: Listed & { _id: string }) => note(user._id, user, of(user)),
    /** Removes at a start the role of users who are no longer in the list. */
    async reconcile() {
      for (const known of await users.withRole()) {
        const due = of(known);
        if (sameRole(known, due)) continue;
        // A listed user gets the role at the next sign-in, not by a start.
        if (due.isAdmin && !known.isAdmin) continue;
        await note(known._id, known, due);
        const changed = await users.change(known._id, now(), (latest) => ({ set: of(latest) }));
        if (!changed || changed.isAdmin === known.isAdmin) continue;
        // A failed publish is retried after the next heartbeat, so the start does not fail.
        await rights.publishRole(known._id).catch(() => undefined);
      }
    },
  };
}
