import { NOBODY } from '@cord/contracts/events/envelope';
import type { AuditLog } from '@cord/kit/audit-log';
import { type RoleState, roleByConfig, sameRole } from './domain/role.js';
import type { Rights } from './rights.js';
import type { UserStore } from './store/users.js';

/** Roles that come from ADMIN_DISCORD_IDS, in the audit log like those that admins give (design.md, Sign-in and rights). */
export interface ConfigRoles {
  /** The role of a user by the list. */
  of(user: RoleState & { discordId: string }): RoleState;
  /** Writes down what a sign-in is about to change. */
  noteSignIn(user: RoleState & { _id: string; discordId: string }): Promise<void>;
  /** At a start: who was taken out of the list loses the role that came from it. */
  reconcile(): Promise<void>;
}

export function createConfigRoles(deps: {
  discordIds: readonly string[];
  audit: AuditLog;
  users: UserStore;
  rights: Pick<Rights, 'publishRole'>;
  now: () => number;
}): ConfigRoles {
  const { discordIds, audit, users, rights, now } = deps;
  const of: ConfigRoles['of'] = (user) => roleByConfig(user, discordIds.includes(user.discordId));

  async function note(userId: string, before: RoleState, after: RoleState): Promise<void> {
    if (before.isAdmin === after.isAdmin) return;
    const action = after.isAdmin ? 'role.admin' : 'role.user';
    await audit.write({ adminId: NOBODY, action, target: userId, detail: { by: 'ADMIN_DISCORD_IDS' } });
  }

  return {
    of,
    noteSignIn: (user) => note(user._id, user, of(user)),
    async reconcile() {
      for (const known of await users.withRole()) {
        const due = of(known);
        if (sameRole(known, due)) continue;
        // Who is listed gets the role at the next sign-in, not by a start.
        if (due.isAdmin && !known.isAdmin) continue;
        await note(known._id, known, due);
        const changed = await users.change(known._id, now(), (latest) => ({ set: of(latest) }));
        if (!changed || changed.isAdmin === known.isAdmin) continue;
        // What cannot be told now is asked for after the next heartbeat; a start does not fail for it.
        await rights.publishRole(known._id).catch(() => undefined);
      }
    },
  };
}
