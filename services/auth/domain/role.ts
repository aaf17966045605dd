import type { UserDoc } from './user-doc.js';

/** Where an admin's role comes from: ADMIN_DISCORD_IDS, or another admin (in local mode also /dev). */
export type RoleSource = 'config' | 'admin';

/** What a user document holds of the role; the last two are absent in documents of earlier releases. */
export type RoleState = Pick<UserDoc, 'isAdmin' | 'roleFrom' | 'configDenied'>;

/**
 * The role by ADMIN_DISCORD_IDS, as a sign-in and each start of the service apply it:
 * - who is listed is an admin, but for whom an admin took the role from: that stands until an admin gives it back, or
 *   the id was out of the list at a start in between;
 * - a role that came from the list goes with the entry; one that an admin gave stays.
 * A role of an earlier release without an origin counts as the list's while it is listed, else as given.
 */
export function roleByConfig(user: RoleState, isListed: boolean): RoleState {
  const { isAdmin, roleFrom = null, configDenied = false } = user;
  const from = isAdmin ? (roleFrom ?? (isListed ? 'config' : 'admin')) : null;
  if (!isListed) {
    const keeps = from === 'admin';
    return { isAdmin: keeps, roleFrom: keeps ? 'admin' : null, configDenied: false };
  }
  if (isAdmin) return { isAdmin: true, roleFrom: from, configDenied: false };
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
    a.isAdmin === b.isAdmin &&
    (a.roleFrom ?? null) === (b.roleFrom ?? null) &&
    (a.configDenied ?? false) === (b.configDenied ?? false)
  );
}
