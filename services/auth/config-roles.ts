import { NOBODY } from '@cord/contracts/events/envelope';
import type { AuditLog } from '@cord/kit/audit-log';
import { type RoleState, roleByConfig, sameRole } from './domain/role.js';
import type { UserDoc } from './domain/user-doc.js';
import type { Rights } from './rights.js';
import type { UserStore } from './store/users.js';

/** Roles that come from ADMIN_DISCORD_IDS, in the audit log like those that admins give (services/README.md#sign-in-and-rights). */
export type ConfigRoles = ReturnType<typeof createConfigRoles>;

/** What decides over a role. */
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
     * What a newcomer has of a role before the list: who comes back after an erasure waits for an admin, as one from whom the role was
     * taken, so that an erasure brings no role back. Where there is no admin at all, the list alone decides.
     */
    async begin(wasErased: boolean): Promise<RoleState> {
      const waits = wasErased && (await users.admins()).length > 0;
      return { isAdmin: false, roleFrom: null, configDenied: waits };
    },
    /** The role of a user by the list and by the second factor. */
    of,
    /** Whether the user would be an admin, had the account a second factor at Discord. */
    isWithheld,
    /** Writes down what a sign-in is about to change. */
    noteSignIn: (user: Listed & { _id: string }) => note(user._id, user, of(user)),
    /** At a start: who was taken out of the list loses the role that came from it. */
    async reconcile() {
      for (const known of await users.withRole()) {
        const due = of(known);
        if (sameRole(known, due)) continue;
        // Who is listed gets the role at the next sign-in, not by a start.
        if (due.isAdmin && !known.isAdmin) continue;
        await note(known._id, known, due);
        const changed = await users.change(known._id, now(), (latest) => ({ set: of(latest) }));
        if (!changed || changed.isAdmin === known.isAdmin) continue;
        // What cannot be published now is requested after the next heartbeat; a start does not fail for it.
        await rights.publishRole(known._id).catch(() => undefined);
      }
    },
  };
}
