import type { Nats } from '@cord/kit/nats';
import type { ImportOrder } from '../backup/import.ts';
import type { PausedServices } from './paused-services.ts';
import { StartError } from './problems.mjs';
import { rebuildStream, remakeStreams, withSetup } from './streams.ts';

/**
 * Handles `npx cord data import` in a running system. Services pause once the file is verified and resume when
 * everything is replaced. After a failed import they stay paused until the import is repeated.
 */
export function importOrder({
  settings,
  uri,
  running,
  pausedServices,
}: {
  settings: { dataDir: string; env: NodeJS.ProcessEnv; local: boolean };
  /** of the store */
  uri: string;
  /** the programs of the services */
  running: () => { service: string; main: string }[];
  pausedServices: PausedServices;
}): (order: ImportOrder, report: (line: string) => void) => Promise<string> {
  const { dataDir, env, local } = settings;

  async function comeBack(report: (line: string) => void) {
    if (await pausedServices.resume(report)) report('the services are running again');
  }

  return async (order, report) => {
    // Imported here only: a start does not need the store's driver.
    const { isHalf, runImport } = await import('../backup/import.ts');
    let done: string;
    try {
      const target = {
        uri,
        dataDir,
        env,
        local,
        report,
        running: running(),
        remakeStreams: () => remakeStreams(dataDir, env),
      };
      done = await runImport(order, target, () => pausedServices.pause());
    } catch (error) {
      // If the store is unreachable, services resume: each waits while its database is half imported.
      if (await isHalf(uri).catch(() => false)) {
        const { IMPORT_AGAIN } = await import('@cord/kit/migration/half-import');
        throw new StartError(`${(error as Error).message} ${IMPORT_AGAIN}. The services stay stopped until then.`);
      }
      await comeBack(report).catch((other: Error) => report(other.message));
      throw error;
    }
    await comeBack(report);
    const { STREAMS } = await import('@cord/contracts/events/streams');
    const rebuild = async (nats: Nats) => {
      for (const stream of STREAMS)
        await rebuildStream(nats, stream, report).catch((error: Error) =>
          report(`${error.message}. "npx cord streams rebuild ${stream.name}" tries again.`),
        );
    };
    await withSetup(dataDir, rebuild, env).catch((error: Error) =>
      report(`${error.message} "npx cord streams rebuild" tries again.`),
    );
    return done;
  };
}
