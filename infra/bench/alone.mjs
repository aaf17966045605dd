import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { moduleFolders } from '../build/built.mjs';
import { ROOT } from '../dev/starter/paths.mjs';
import { SERVICES } from '../dev/starter/services.mjs';
import { cpuMsUntilNow } from '../test/cpu-time.mjs';

/*
 * npm run bench -- alone: `npm test -w FOLDER` of each module and each service, one after the other: how long a team waits for
 * its own tests. --only NAME,NAME of the folders. Asked of it: each in less than 60 s on two quiet cores, none failed.
 * Closes with the RESULT lines and `N passed, N failed`, by folder.
 */

const SECONDS_MAX = 60;
const FOLDERS = [...moduleFolders(), ...SERVICES.map((name) => `services/${name}`)];

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only?.split(',') ?? FOLDERS;
const unknown = only.find((folder) => !FOLDERS.includes(folder));
if (unknown) throw new Error(`there is no ${unknown}; there are ${FOLDERS.join(', ')}`);

const found = [];
for (const folder of only) {
  const startMs = performance.now();
  const startCpuMs = cpuMsUntilNow();
  const testing = spawn('npm', ['test', '--silent', '-w', folder], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  testing.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = await once(testing, 'close');
  const seconds = (performance.now() - startMs) / 1_000;
  const told = /^\d+ passed, \d+ failed$/m.exec(printed)?.[0] ?? 'no tests';
  if (code !== 0) console.log(printed);
  found.push({ folder, seconds, holds: code === 0 && seconds < SECONDS_MAX });
  const cpu = (cpuMsUntilNow() - startCpuMs) / 1_000;
  console.log(
    `${folder.padEnd(22)} ${told.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s ${cpu.toFixed(1).padStart(7)} s of a core`,
  );
}
for (const { folder, seconds } of found) console.log(`RESULT ${folder.replaceAll(/\W/g, '_')}_s=${seconds.toFixed(1)}`);
const failed = found.filter(({ holds }) => !holds).length;
console.log(`${found.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
