import { StartError } from './problems.mjs';
import { rebuildStream } from './rebuild-streams.mjs';
import { connectAsSetup } from './setup-connection.mjs';

/**
 * What `npx cord data import` has a running system do: its services stand still once the file is found whole, and come back
 * when everything is replaced. One that fails half-way leaves them so, and is given again.
 * @param {object} given
 * @param {{dataDir: string, env: NodeJS.ProcessEnv, local: boolean}} given.settings
 * @param {string} given.uri of the store
 * @param {() => {service: string, main: string}[]} given.running what the services run
 * @param {import('./standstill.mjs').Standstill} given.standstill
 * @returns {(order: {file: string, erasures?: string, passphrase?: string}, say: (line: string) => void) => Promise<string>}
 */
export function importOrder({ settings, uri, running, standstill }) {
  const { dataDir, env, local } = settings;

  async function comeBack(say) {
    if (await standstill.end()) say('the services are back');
  }

  return async (order, say) => {
    // Only here: a start does without the driver of the store.
    const [{ isHalf }, { runImport }, { remakeStreamsOf }] = await Promise.all([
      import('../backup/import.mjs'),
      import('../backup/run-import.mjs'),
      import('../backup/streams.mjs'),
    ]);
    let done;
    try {
      const target = {
        uri,
        dataDir,
        env,
        local,
        say,
        running: running(),
        remakeStreams: () => remakeStreamsOf(dataDir, env),
      };
      done = await runImport(order, target, () => standstill.begin());
    } catch (error) {
      if (await isHalf(uri)) {
        const { IMPORT_AGAIN } = await import('@cord/kit/migration/half-import');
        throw new StartError(`${error.message} ${IMPORT_AGAIN}. The services stay stopped until then.`);
      }
      await comeBack(say);
      throw error;
    }
    await comeBack(say);
    const { STREAMS } = await import('@cord/contracts/events/streams');
    const owned = STREAMS.filter(({ owner }) => owner !== 'all');
    const nats = await connectAsSetup(dataDir, env);
    try {
      for (const stream of owned) await rebuildStream(nats, stream, say);
    } finally {
      await nats.drain();
    }
    return done;
  };
}
