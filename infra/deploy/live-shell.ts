import { request } from 'node:http';
import { readWorkspaces } from '@cord/build/workspaces.ts';

const TIMEOUT_MS = 5_000;

/** What is read of /remotes.json. */
interface Published {
  sdk?: string;
  ui?: string;
  modules?: Record<string, { version: string }>;
}

/** What is read of run.json. */
export interface Running {
  origin: string;
  services: Record<string, { url?: string }[]>;
}

/**
 * What the shell in use carries: as a gateway of the running system reports, else as in this checkout.
 * @param running run.json
 */
export async function liveVersions(running: Running | undefined): Promise<{ sdk: string; ui: string }> {
  const workspaces = readWorkspaces();
  const here = { sdk: workspaces.get('@cord/sdk')?.version ?? '', ui: workspaces.get('@cord/ui')?.version ?? '' };
  const registry = await registryOf(running);
  // A gateway under hot reload has no built shell: it shows this checkout.
  return { sdk: registry?.sdk ?? here.sdk, ui: registry?.ui ?? here.ui };
}

/** What the running system's gateway has published; undefined where none runs. */
async function registryOf(running: Running | undefined): Promise<Published | undefined> {
  const gateway = running?.services.gateway?.[0];
  if (!running || !gateway?.url) return undefined;
  return JSON.parse(await get(new URL('/remotes.json', gateway.url), new URL(running.origin).host));
}

/** By the public name, which the gateway insists on. */
function get(url: URL, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host }, timeout: TIMEOUT_MS }, async (answer) => {
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      if (answer.statusCode === 200) resolve(Buffer.concat(chunks).toString());
      else reject(new Error(`${url} answered ${answer.statusCode}`));
    });
    sent.once('timeout', () => sent.destroy(new Error(`${url} does not answer`)));
    sent.once('error', reject);
    sent.end();
  });
}

/**
 * Prints of what a switch changes no page, because pages show its sources. Of a gateway that does not answer nothing is known, and nothing is printed.
 * @param names of the shell or modules, as in the store
 */
export async function noteHotReload(
  running: Running | undefined,
  names: readonly string[],
  report: (line: string) => void,
): Promise<void> {
  const registry = await registryOf(running).catch(() => undefined);
  for (const name of names.filter((each) => showsSources(registry, each)))
    report(`pages of this system still show the sources of ${name}: npm run dev serves them, until it ends`);
}

/** Whether `npm run dev` serves it from its sources: then no page shows what is published. */
function showsSources(registry: Published | undefined, name: string): boolean {
  if (!registry) return false;
  return name === 'shell' ? registry.sdk === undefined : registry.modules?.[name]?.version === 'dev';
}
