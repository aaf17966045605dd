/** `npm run topology [-- rebuild [STREAM|all]]`: the streams of a running system, and of the NATS at NATS_URL before one runs. */
import { readCommand, runCommand } from './starter/commands.mjs';
import { StartError } from './starter/problems.mjs';
import { rebuildStream } from './starter/rebuild-streams.mjs';
import { connectAsSetup } from './starter/setup-connection.mjs';

const USAGE = `npm run topology [-- rebuild [STREAM | all]]   [--data DIR]
  (nothing)   makes what is missing of streams and consumers, and shows what each stream holds; nothing else changes a
              stream, and nothing makes one smaller. Where no system runs: of the NATS at NATS_URL
              NATS_REPLICAS=1|3|5: copies of each stream in a cluster; a stream that has more keeps them
  rebuild     asks who owns STREAM (or all of them) to publish what it has lost, and waits until that is done`;
const MIB = 1024 ** 2;

await runCommand(async () => {
  const { words, dataDir } = readCommand(process.argv.slice(2), USAGE);
  const [verb, wanted = 'all', ...rest] = words;
  if (rest.length > 0 || (verb !== undefined && verb !== 'rebuild')) throw new StartError(USAGE);
  const { STREAMS } = await import('@cord/contracts/events/streams');
  const owned = STREAMS.filter(({ owner }) => owner !== 'all');
  const chosen = owned.filter(({ name }) => wanted === 'all' || name === wanted);
  if (chosen.length === 0)
    throw new StartError(`no owned stream ${wanted}. There are ${owned.map(({ name }) => name).join(', ')}.`);
  const { copiesIn, ensureTopology } = await import('@cord/kit/topology');
  const replicas = copiesAsked(copiesIn);
  const nats = await connectAsSetup(dataDir);
  try {
    await ensureTopology(nats, { replicas }).catch((error) => {
      throw new StartError(`NATS does not keep the streams with ${replicas} copies: ${error.message}`);
    });
    if (verb === undefined) for (const { name } of STREAMS) await show(nats, name, replicas);
    else for (const stream of chosen) await rebuildStream(nats, stream, (line) => console.log(line));
  } finally {
    await nats.drain();
  }
});

/** @returns how many copies of each stream are wanted at least */
function copiesAsked(copiesIn) {
  try {
    return copiesIn(process.env.NATS_REPLICAS);
  } catch (error) {
    throw new StartError(error.message);
  }
}

async function show(nats, name, wanted) {
  const { created, config, state } = await nats.jsm.streams.info(name);
  const mib = (bytes) => (bytes / MIB).toFixed(1);
  const copies = `${config.num_replicas} ${config.num_replicas === 1 ? 'copy' : 'copies'}`;
  const kept = config.num_replicas > wanted ? ` (kept: more than NATS_REPLICAS, which is ${wanted})` : '';
  console.log(
    `${name}  ${state.messages} messages  ${mib(state.bytes)} of ${mib(config.max_bytes)} MiB  ${copies}${kept}  ${state.consumer_count} consumers  made ${created}`,
  );
}
