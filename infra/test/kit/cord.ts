import { execFile } from 'node:child_process';
import { ROOT } from '../../dev/starter/paths.mjs';
import type { Checks } from './checks.ts';

const PRINTED_BYTES_MAX = 64 << 20;

/** What one `npx cord` has come to. */
interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** `npx cord` with these arguments, to its end. @param env the whole of it */
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

/** `npx cord audit` over a data folder. @returns what it printed */
export const audit = (dataDir: string) => printedBy('audit', '--data', dataDir);

/** `npx cord dead-letters list` of a running system. @returns what it printed */
export const deadLetters = (dataDir: string) => printedBy('dead-letters', 'list', '--data', dataDir);

/** The drift that an audit has printed, micro-CORD, or `unknown`. */
export const driftOf = (audited: string): string => /drift_micro=(-?\d+)/.exec(audited)?.[1] ?? 'unknown';

/** Checks that an audit finds no drift. @returns the drift, micro-CORD, or `unknown` */
export async function noDrift(checks: Checks, dataDir: string): Promise<string> {
  const audited = await audit(dataDir);
  const driftMicro = driftOf(audited);
  checks.add('the audit finds no drift', driftMicro === '0' ? [] : [audited]);
  return driftMicro;
}

/** Checks that no message waits as a dead letter. @param promise the name of the check */
export async function noDeadLetters(
  checks: Checks,
  dataDir: string,
  promise = 'there are no dead letters',
): Promise<void> {
  const dead = await deadLetters(dataDir);
  checks.add(promise, /^0 dead letters$/m.test(dead) ? [] : [dead]);
}
