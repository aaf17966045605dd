import { execFile } from 'node:child_process';
import { ROOT } from '../../dev/starter/paths.mjs';
import type { Checks } from './checks.ts';

const PRINTED_BYTES_MAX = 64 << 20;

/** The result of one `npx cord`. */
interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `npx cord` with these arguments until it ends. @param env the whole environment */
export function cord(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env, maxBuffer: PRINTED_BYTES_MAX };
    execFile(process.execPath, ['infra/cli/cord.mjs', ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

async function printedBy(...args: string[]): Promise<string> {
  const { stdout, stderr } = await cord(args);
  return `${stdout}${stderr}`.trim();
}

/** Runs `npx cord audit` on a data folder. @returns its output */
export const audit = (dataDir: string) => printedBy('audit', '--data', dataDir);

/** Runs `npx cord dead-letters list` on a running system. @returns its output */
export const deadLetters = (dataDir: string) => printedBy('dead-letters', 'list', '--data', dataDir);

/** Parses the drift from an audit's output: micro-CORD, or `unknown`. */
export const driftOf = (audited: string): string => /drift_micro=(-?\d+)/.exec(audited)?.[1] ?? 'unknown';

/** Checks that an audit finds no drift. @returns the drift, micro-CORD, or `unknown` */
export async function noDrift(checks: Checks, dataDir: string): Promise<string> {
  const audited = await audit(dataDir);
  const driftMicro = driftOf(audited);
  checks.add('the audit finds no drift', driftMicro === '0' ? [] : [audited]);
  return driftMicro;
}

/** Checks that there are no dead letters. @param promise name of the check */
export async function noDeadLetters(
  checks: Checks,
  dataDir: string,
  promise = 'there are no dead letters',
): Promise<void> {
  const dead = await deadLetters(dataDir);
  checks.add(promise, /^0 dead letters$/m.test(dead) ? [] : [dead]);
}
