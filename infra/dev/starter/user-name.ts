import { userInfo } from 'node:os';

/** Who runs a command on this machine, for journals and the audit log: by number where the machine has no name for it, as in the images. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
