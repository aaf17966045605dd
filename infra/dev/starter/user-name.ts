import { userInfo } from 'node:os';

/**
 * Who runs a command on this machine, for journals and the audit log: by number where the machine has no name for it, as in the images.
 * @param lookUp of the user who runs this process; throws where the machine has none
 */
export function userName(lookUp: () => { username: string } = userInfo): string {
  try {
    return lookUp().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
