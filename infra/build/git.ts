import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../dev/starter/problems.mjs';

const OUTPUT_BYTES_MAX = 64 << 20;

/**
 * Runs git in a folder of the checkout.
 * @returns its output
 * @throws {StartError} with one message: git is missing, the folder is not a checkout, or git's own reason
 */
export function git(folder: string, ...args: string[]): string {
  // In English, since a message is matched below.
  const options = {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    env: { ...process.env, LC_ALL: 'C' },
  } as const;
  const { error, status, stdout, stderr } = spawnSync('git', args, options);
  if (error) throw new StartError(`git cannot start (${error.message}). Install it.`);
  if (status === 0) return stdout;
  if (!/not a git repository/i.test(stderr)) throw new StartError(stderr.trim());
  throw new StartError(`${folder} is not a git checkout. In a downloaded archive, run "git init && git add --all".`);
}

/** Returns the existing files of a checkout that are tracked by git, or untracked and not ignored. */
export function filesUnderGit(root: string): string[] {
  const listed = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0');
  return [...new Set(listed)].filter((file) => file !== '' && existsSync(join(root, file)));
}
