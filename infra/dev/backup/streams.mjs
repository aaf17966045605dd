import { connectAsSetup } from '../starter/setup-connection.mjs';

/**
 * Makes every stream anew, empty, with the copies and the room that it had: what stood in it told of another past. Their owners
 * publish all their state once they run, every consumer begins again, and a snapshot of before is not believed (services/README.md#events).
 * @param {object} nats connected as the user that may do everything
 */
async function remakeStreams(nats) {
  const { STREAMS } = await import('@cord/contracts/events/streams');
  const { ensureTopology } = await import('@cord/kit/topology');
  for (const { name } of STREAMS) {
    const there = await nats.jsm.streams.info(name).catch(() => undefined);
    if (!there) continue;
    await nats.jsm.streams.delete(name);
    await nats.jsm.streams.add(there.config);
  }
  await ensureTopology(nats);
}

/** The same at the NATS of a running system, or at NATS_URL. @param {string} dataDir @param {NodeJS.ProcessEnv} env */
export async function remakeStreamsOf(dataDir, env) {
  const nats = await connectAsSetup(dataDir, env);
  try {
    await remakeStreams(nats);
  } finally {
    await nats.drain();
  }
}
