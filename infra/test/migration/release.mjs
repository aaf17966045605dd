import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ROOT } from '../../dev/starter/paths.mjs';

const run = promisify(execFile);

/**
 * The code of a release in a folder of its own, installed by its own lock file and built.
 * @param {string} commit
 * @param {string} folder empty or absent; what an earlier call has made there is used again
 */
export async function checkOut(commit, folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = spawn('git', ['archive', commit], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const unpack = spawn('tar', ['-x', '-C', folder], { stdio: [archive.stdout, 'inherit', 'inherit'] });
  const [[archived], [unpacked]] = await Promise.all([once(archive, 'exit'), once(unpack, 'exit')]);
  if (archived !== 0 || unpacked !== 0) throw new Error(`${commit} could not be unpacked`);
  await run('npm', ['ci'], { cwd: folder, maxBuffer: 64 << 20 });
  await run(process.execPath, ['infra/build/build.mjs'], { cwd: folder, maxBuffer: 64 << 20 });
}
