import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../../dev/starter/paths.mjs';

/** `npx cord audit` over a data folder. @returns what it printed */
export async function audit(dataDir: string): Promise<string> {
  const child = spawn(process.execPath, ['infra/cli/cord.mjs', 'audit', '--data', dataDir], { cwd: ROOT });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  await once(child, 'close');
  return printed.trim();
}

/** The drift that an audit has printed, micro-CORD, or `unknown`. */
export const driftOf = (audited: string): string => /drift_micro=(-?\d+)/.exec(audited)?.[1] ?? 'unknown';
