import type { Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import { program } from './program.ts';

/** Variables that select a system. */
const NAMING = ['MONGODB_URI', 'NATS_URL', 'CORD_DATA'];

/**
 * Runs a command line in the process of a test, which takes a tenth of a child process's time. Variables that select a
 * system are unset unless given.
 * @returns the exit code of `cord` and its output
 */
export async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let [stdout, stderr] = ['', ''];
  const print = (text: unknown) => {
    stdout += `${text}\n`;
  };
  const complain = (text: unknown) => {
    stderr += `${text}\n`;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(print),
    vi.spyOn(console, 'error').mockImplementation(complain),
  ];
  for (const name of NAMING) vi.stubEnv(name, env[name]);
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const cord = program();
  for (const command of all(cord)) command.exitOverride().configureOutput({ writeErr: complain });
  try {
    await cord.parseAsync(args, { from: 'user' });
    return { status: Number(process.exitCode ?? 0), stdout, stderr };
  } catch (error) {
    return { status: (error as CommanderError).exitCode, stdout, stderr };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}
