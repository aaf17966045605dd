import { request } from 'node:http';
import { readWorkspaces } from '@cord/build/workspaces.ts';

const TIMEOUT_MS = 5_000;

/** The fields used from /remotes.json. */
interface Published {
  sdk?: string;
  ui?: string;
  modules?: Record<string, { version: string }>;
}

/** The fields used from run.json. */
export interface Running {
  origin: string;
  services: Record<string, { url?: string }[]>;
}

/**
 * Returns the versions in the live shell: from a gateway of the running system, else from this checkout.
 * @param running run.json
 */
export async function liveVersions(running: Running | undefined): Promise<{ sdk: string; ui: string }> {
  const workspaces = readWorkspaces();
  const here = { sdk: workspaces.get('@cord/sdk')?.version ?? '', ui: workspaces.get('@cord/ui')?.version ?? '' };
  const registry = await registryOf(running);
  // A gateway under hot reload has no built shell: it shows this checkout.
  return { sdk: registry?.sdk ?? here.sdk, ui: registry?.ui ?? here.ui };
}

/** Returns what the running gateway has published; undefined when none runs. */
async function registryOf(running: Running | undefined): Promise<Published | undefined> {
  const gateway = running?.services.gateway?.[0];
  if (!running || !gateway?.url) return undefined;
  return JSON.parse(await get(new URL('/remotes.json', gateway.url), new URL(running.origin).host));
}

/** Sets the public host name, which the gateway requires. */
function get(url: URL, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host }, timeout: TIMEOUT_MS }, async (answer) => {
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      if (answer.statusCode === 200) resolve(Buffer.concat(chunks).toString());
      else reject(new Error(`${url} responded with ${answer.statusCode}`));
    });
    sent.once('timeout', () => sent.destroy(new Error(`${url} does not respond`)));
    sent.once('error', reject);
    sent.end();
  });
}

/**
 * Reports which switches change no page, because pages show hot-reloaded sources. Reports nothing when the gateway does not respond.
 * @param names of the shell or modules, as in the store
 */
export async function noteHotReload(
  running: Running | undefined,
  names: readonly string[],
  report: (line: string) => void,
): Promise<void> {
  const registry = await registryOf(running).catch(() => undefined);
  for (const name of names.filter((each) => showsSources(registry, each)))
    report(`pages of this system still show the sources of ${name} while npm run dev serves them`);
}

/** Whether `npm run dev` serves it from sources, so that no page shows the published version. */
function showsSources(registry: Published | undefined, name: string): boolean {
  if (!registry) return false;
  return name === 'shell' ? registry.sdk === undefined : registry.modules?.[name]?.version === 'dev';
}
