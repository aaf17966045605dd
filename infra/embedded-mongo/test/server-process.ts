import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../../build/build.mjs', import.meta.url));
export const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let isBuilt = false;

/** Builds the programs, once: these tests run this one as it is started, not its modules. */
export function build(): void {
  if (isBuilt) return;
  execFileSync(process.execPath, [BUILD, '--node'], { stdio: ['ignore', 'ignore', 'inherit'] });
  isBuilt = existsSync(MAIN);
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
  build();
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
    void exited.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
  return { child, uri, exited, stderr: () => stderr };
}
