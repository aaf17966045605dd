import { userInfo } from 'node:os';

/**
 * Returns the user who runs a command, for journals and the audit log: the uid when the machine has no name for it, as in the images.
 * @param lookUp of this process's user; throws when there is no name
 */
export function userName(lookUp: () => { username: string } = userInfo): string {
  try {
    return lookUp().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
