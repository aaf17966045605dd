import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from './problems.mjs';

const run = promisify(execFile);
const APT_TIMEOUT_MS = 300_000;
/** Folders where Debian installs servers; an ordinary user's PATH lacks them. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/lib/podman'];

/** @returns the full path of an executable on PATH */
export async function findBinary(name: string, path = process.env.PATH ?? ''): Promise<string | undefined> {
  for (const folder of [...path.split(delimiter).filter(Boolean), ...SERVER_FOLDERS]) {
    const file = join(folder, name);
    const runnable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runnable) return file;
  }
  return undefined;
}

/**
 * Returns the full path of an executable. As root on Debian, installs it when it is missing.
 * @param wanted `otherwise`: what the user can do instead
 * @throws {StartError} when the executable is not available
 */
export async function requireBinary({
  name,
  debianPackage,
  otherwise,
}: {
  name: string;
  debianPackage: string;
  otherwise: string;
}) {
  const found = await findBinary(name);
  if (found) return found;
  if (await canInstall()) {
    await aptInstall(debianPackage);
    const installed = await findBinary(name);
    if (installed) return installed;
  }
  throw new StartError(`${name} is missing. ${otherwise}`);
}

async function canInstall() {
  return process.getuid?.() === 0 && (await findBinary('apt-get')) !== undefined;
}

async function aptInstall(debianPackage: string) {
  const apt = (...args: string[]) =>
    run('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: APT_TIMEOUT_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
  const install = () => apt('install', '-y', '--no-install-recommends', debianPackage);
  try {
    await install().catch(async () => {
      await apt('update');
      await install();
    });
  } catch (error) {
    throw new StartError(
      `apt-get install ${debianPackage} failed:\n${(error as { stderr?: string }).stderr || (error as Error).message}`,
    );
  }
}
