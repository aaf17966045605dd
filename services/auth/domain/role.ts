import { DAY_MS } from '@cord/contracts/rules/days';
import type { UserDoc } from './user-doc.js';

/** How long an account has a role that an admin gave before it confirms what others propose, ms: none in local mode. */
export const ROLE_WAIT_MS = DAY_MS;

/** Where an admin's role comes from: ADMIN_DISCORD_IDS, or another admin (in local mode also /dev). */
export type RoleSource = 'config' | 'admin';

/** What a user document holds of the role. */
export type RoleState = Pick<UserDoc, 'isAdmin' | 'roleFrom' | 'configDenied'>;

/**
 * The role by ADMIN_DISCORD_IDS, as a sign-in and each start of the service apply it:
 * - who is listed is an admin, but for whom an admin took the role from: that stands until an admin gives it back, or
 *   the id was out of the list at a start in between;
 * - a role that came from the list goes with the entry; one that an admin gave stays.
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

/** The role as an admin gives or takes it. */
export function roleByAdmin(isAdmin: boolean): RoleState {
  return { isAdmin, roleFrom: isAdmin ? 'admin' : null, configDenied: !isAdmin };
}

/** Whether two documents have the same role. */
export function sameRole(a: RoleState, b: RoleState): boolean {
  return (
    a.isAdmin === b.isAdmin && a.roleFrom === b.roleFrom && (a.configDenied ?? false) === (b.configDenied ?? false)
  );
}
