import { serveInShell } from '@cord/build/dev-servers.ts';
import { originPort } from './ports.ts';
import { StartError } from './problems.mjs';

const ANSWER_MS_MAX = 10_000;

/**
 * `npm run dev -- MODULE --shell URL [--port N]`: serves one module from this checkout or its folder, in a shell that
 * runs elsewhere (infra/build/registry-override.ts).
 * @throws {StartError} naming a wrong flag, or why that shell cannot be used
 */
export async function runInShell({
  module,
  shell: address,
  port = '0',
}: {
  module?: string | undefined;
  shell: string;
  port?: string | undefined;
}) {
  if (!module)
    throw new StartError('--shell needs a module, such as npm run dev -- tasks --shell http://localhost:8080');
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new StartError(`--shell is "${address}", but must be an address such as http://localhost:8080.`);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new StartError(`--port is "${port}", but must be a port.`);
  const shell = new URL(address).origin;
  await checkShell(shell);
  const server = serveInShell({ module, shell, port: await originPort(Number(port), '127.0.0.1') });
  server.once('exit', (code) => process.exit(code ?? 1));
  // 'disconnect': the program that started this process, such as a test, has ended.
  for (const end of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(end, () => process.exit(0));
}

async function checkShell(shell: string | URL | undefined) {
  const answer = await fetch(new URL('/remotes.json', shell), { signal: AbortSignal.timeout(ANSWER_MS_MAX) }).catch(
    () => {
      throw new StartError(`no shell is running at ${shell}.`);
    },
  );
  const registry = (await answer.json().catch(() => undefined)) as { modules?: unknown } | undefined;
  if (!answer.ok || typeof registry?.modules !== 'object')
    throw new StartError(`${shell} responds, but is not a CORD shell.`);
}
