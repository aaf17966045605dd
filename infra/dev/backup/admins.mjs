import { valuesOf } from './bson.mjs';

/**
 * Who is an admin by a backup: an import gives them that role.
 * @param {import('./read.mjs').Backup} backup
 * @returns {Promise<{username: string, discordId: string}[]>} by name
 */
export async function adminsIn(backup) {
  const admins = [];
  for await (const bytes of backup.documents('auth', 'users')) {
    const { isAdmin, username, discordId } = valuesOf(bytes);
    if (isAdmin) admins.push({ username: String(username), discordId: String(discordId) });
  }
  return admins.sort((a, b) => (a.username < b.username ? -1 : 1));
}
