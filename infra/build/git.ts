import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../dev/starter/problems.mjs';

const OUTPUT_BYTES_MAX = 64 << 20;

/**
 * Runs git in a folder of the checkout.
 * @returns what it printed
 * @throws {StartError} in one message: there is no git, the folder is no checkout, or git's own reason
 */
export function git(folder: string, ...args: string[]): string {
  // In English, whatever the reader's language is: a message is recognised below.
  const options = {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    env: { ...process.env, LC_ALL: 'C' },
  } as const;
  const { error, status, stdout, stderr } = spawnSync('git', args, options);
  if (error) throw new StartError(`git cannot be run (${error.message}). Install it.`);
  if (status === 0) return stdout;
  if (!/not a git repository/i.test(stderr)) throw new StartError(stderr.trim());
  throw new StartError(`${folder} is no git checkout. Of a downloaded archive "git init && git add --all" makes one.`);
}

/** Files of a checkout that are, or are about to be, under version control; those that are there. */
export function filesUnderGit(root: string): string[] {
  const listed = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0');
  return [...new Set(listed)].filter((file) => file !== '' && existsSync(join(root, file)));
}
