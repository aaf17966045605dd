import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { transpilePackages } from '../../build/transpile.ts';

export const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let building: Promise<number> | undefined;

/** Builds the program, once: these tests run it as it is started, not its modules. */
export async function build(): Promise<void> {
  building ??= transpilePackages({ packages: ['infra/embedded-mongo'] });
  await building;
}

export interface ServerProcess {
  child: ChildProcess;
  uri: string;
  exited: Promise<number | null>;
  stderr: () => string;
}

/** Starts the program, with a wrapper before it and more flags if given, and waits for its line. */
export async function startProcess(
  dataDir: string,
  wrapper: string[] = [],
  flags: string[] = [],
): Promise<ServerProcess> {
  await build();
  const [program, ...before] = [...wrapper, process.execPath];
  const child = spawn(program as string, [...before, MAIN, '--port', '0', '--data', dataDir, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const uri = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      const found = /^embedded-mongo listening on (mongodb:\/\/127\.0\.0\.1:\d+)$/m.exec(stdout);
      if (found !== null) resolve(found[1] as string);
    });
    void exited.then((code) => reject(new Error(`the server exited with ${code}: ${stderr}`)));
  });
  return { child, uri, exited, stderr: () => stderr };
}
