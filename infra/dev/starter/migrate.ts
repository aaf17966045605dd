import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';
import { SERVICES } from './services.ts';

const CONNECT_MS_MAX = 60_000;
/** The programs of the services in the checkout. */
export const CHECKOUT = SERVICES.map((service) => ({ service, main: join(ROOT, 'services', service, 'dist/main.js') }));

/**
 * Returns the storage plan of a service, which lies beside its program.
 * @throws {StartError} when the service is not built
 */
export async function planOf({ service, main }: { service: string; main: string }) {
  const file = join(dirname(main), 'data.js');
  if (!existsSync(file)) throw new StartError(`${service} is not built: run npm run build -- --node.`);
  return (await import(pathToFileURL(file).href)).data;
}

/**
 * Migrates the databases of the services to the releases that they run, one after the other.
 * @param uri of the store, with its password
 * @param running each service and its program; the plan lies beside it
 * @param report called for each step
 * @param how importing: a half-imported database is migrated by an import only
 * @returns the number of documents changed
 * @throws {StartError} for a half-finished import, and for a service that is not built
 */
export async function migrateAll(
  uri: string,
  running: { service: string; main: string }[] = CHECKOUT,
  report: (line: string) => void = () => {},
  { importing = false }: { importing?: boolean } = {},
): Promise<number> {
  const [{ HalfImported }, { MIGRATING, migrate }, { withKit }, { connectStore }, { createLogger }] = await Promise.all(
    [
      import('@cord/kit/migration/half-import'),
      import('@cord/kit/migration/migrate'),
      import('@cord/kit/migration/plan'),
      import('@cord/kit/store'),
      import('@cord/kit/log'),
    ],
  );
  // Level error: closing a connection on purpose would log a warning.
  const log = createLogger('migrate', 'error');
  let changed = 0;
  for (const { service, main } of running) {
    const data = await planOf({ service, main });
    const stopped = AbortSignal.timeout(CONNECT_MS_MAX);
    const store = await connectStore(uri, `cord_${service}`, log, stopped, MIGRATING);
    try {
      changed += await migrate(store, withKit(data), { importing, report: (line) => report(`${service}: ${line}`) });
    } catch (error) {
      throw error instanceof HalfImported ? new StartError(`${error.message}.`) : error;
    } finally {
      await store.close();
    }
  }
  return changed;
}
