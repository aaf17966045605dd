/**
 * The memory that an audit takes for people whose nodes never stop: `--users N --years N` (500 and 3). The books are made as they are read,
 * in the form that the store's driver reads. Closes with RESULT lines; `peak_rss_mb` is the largest memory of the process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../dev/starter/paths.mjs';

const args = [join(ROOT, 'infra/audit/dist/memory/main.js'), ...process.argv.slice(2)];
const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
process.exitCode = code ?? 1;
