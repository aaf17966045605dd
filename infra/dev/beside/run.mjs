import { originPort } from '../starter/ports.mjs';
import { StartError } from '../starter/problems.mjs';
import { createFront, OVERRIDE_HEADER } from './front.mjs';

const ANSWER_MS_MAX = 10_000;

/**
 * `npm run dev -- MODULE --shell URL [--port N] [--token TOKEN]`: that module alone, from this checkout, in a shell that runs
 * elsewhere. What changes of its code is put into the page as it stands, without a reload.
 * @param {{module?: string, shell: string, port?: string, token?: string}} flags
 * @throws {StartError} naming what is wrong with a flag, or why that shell cannot be used
 */
export async function runBeside({ module, shell: address, port = '0', token }) {
  if (!module)
    throw new StartError('--shell needs a module, such as npm run dev -- tasks --shell http://localhost:8080');
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new StartError(`--shell is "${address}", but must be an address such as http://localhost:8080.`);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new StartError(`--port is "${port}", but must be a port.`);
  const shell = new URL(new URL(address).origin);
  const registry = await registryOf(shell);
  const { startModuleServer } = await import('@cord/build/dev-servers.mjs');
  const { remote } = await startModuleServer(module).catch((error) => {
    throw new StartError(error.message);
  });
  const server = createFront({ shell, remote, ...(token ? { token } : {}) });
  const own = await originPort(Number(port), '127.0.0.1');
  await new Promise((resolve, reject) => server.once('error', reject).listen(own, '127.0.0.1', resolve));
  const others = Object.keys(registry.modules).filter((name) => name !== remote.name);
  console.log(`
  ${remote.name} from this checkout; ${others.join(', ')} and the shell ${registry.shell ?? ''} from ${shell.origin}
  What changes shows at once, with its state kept; module.json is read at the start. Ctrl-C stops; nothing of it stays in the system.

${remote.name} is ready at http://localhost:${own}`);
  // The last: a program that started it, as a test does, is gone.
  for (const end of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(end, () => process.exit(0));
}

/** What that shell names; in production it refuses. */
async function registryOf(shell) {
  const answer = await fetch(new URL('/remotes.json', shell), {
    headers: { [OVERRIDE_HEADER]: 'asked' },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).catch(() => {
    throw new StartError(`no shell is running at ${shell.origin}.`);
  });
  if (answer.status === 403)
    throw new StartError(`${shell.origin} is not in local mode: modules are not overridden there.`);
  const registry = await answer.json().catch(() => undefined);
  if (!answer.ok || typeof registry?.modules !== 'object')
    throw new StartError(`${shell.origin} responds, but is not a CORD shell.`);
  return registry;
}
