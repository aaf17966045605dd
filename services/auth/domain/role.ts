import { DAY_MS } from '@cord/contracts/rules/days';
import type { UserDoc } from './user-doc.js';

/** How long a role granted by an admin must be held before it confirms proposals of others, ms; 0 in local mode. */
export const ROLE_WAIT_MS = DAY_MS;

/** Source of an admin's role: ADMIN_DISCORD_IDS, or another admin (in local mode also /dev). */
export type RoleSource = 'config' | 'admin';

/** The role fields of a user document. */
export type RoleState = Pick<UserDoc, 'isAdmin' | 'roleFrom' | 'configDenied'>;

/**
 * Returns the role by ADMIN_DISCORD_IDS, as applied by a sign-in and each start of the service:
 * - A listed user is an admin, unless an admin removed the role. The removal lasts until an admin grants it again, or
 *   until a start finds the id unlisted.
 * - A role from the list ends with the entry; one granted by an admin stays.
 */
export function roleByConfig(user: RoleState, isListed: boolean): RoleState {
  const { isAdmin, roleFrom, configDenied = false } = user;
  if (!isListed) {
    const keeps = isAdmin && roleFrom === 'admin';
    return { isAdmin: keeps, roleFrom: keeps ? 'admin' : null, configDenied: false };
  }
  if (isAdmin) return { isAdmin: true, roleFrom, configDenied: false };
  return configDenied
    ? { isAdmin: false, roleFrom: null, configDenied: true }
    : { isAdmin: true, roleFrom: 'config', configDenied: false };
}

/** Returns the role as granted or removed by an admin. */
export function roleByAdmin(isAdmin: boolean): RoleState {
  return { isAdmin, roleFrom: isAdmin ? 'admin' : null, configDenied: !isAdmin };
}

/** Returns whether two documents have the same role. */
export function sameRole(a: RoleState, b: RoleState): boolean {
  return (
    a.isAdmin === b.isAdmin && a.roleFrom === b.roleFrom && (a.configDenied ?? false) === (b.configDenied ?? false)
  );
}
