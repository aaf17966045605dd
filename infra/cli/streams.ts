import type { Nats } from '@cord/kit/nats';
import { Argument, Command } from 'commander';
import { StartError } from '../dev/starter/problems.mjs';
import { rebuildStream, withSetup } from '../dev/starter/streams.ts';
import { dataDirOf, dataOption, type OfSystem, refusing } from './system.ts';

const MIB = 1024 ** 2;

/** `cord streams`: manages the streams of a running system, or of the NATS at NATS_URL before one runs. */
export function streamsCommand(): Command {
  const streams = new Command('streams')
    .summary('create, list and rebuild the streams')
    .description(
      'The streams and consumers of a running system; if none runs on this machine, of the NATS at NATS_URL.',
    );
  streams
    .command('ensure', { isDefault: true })
    .description(
      'creates missing streams and consumers, and lists what each stream contains; no other command changes a stream, and none makes one ' +
        'smaller. NATS_REPLICAS (1, 3 or 5): copies of each stream in a cluster; a stream with more keeps them',
    )
    .addOption(dataOption())
    .action(
      refusing((options: OfSystem) =>
        withStreams(options, async (nats, copies, names) => {
          for (const name of names) await show(nats, name, copies);
        }),
      ),
    );
  streams
    .command('rebuild')
    .description('makes the owner publish the events that the stream has lost, and waits until that is done')
    .addArgument(new Argument('[stream]', 'one stream, or all').default('all'))
    .addOption(dataOption())
    .action(refusing(rebuild));
  return streams;
}

async function rebuild(wanted: string, options: OfSystem): Promise<void> {
  const { STREAMS } = await import('@cord/contracts/events/streams');
  const owned = STREAMS.filter(({ owner }) => owner !== 'all');
  const chosen = owned.filter(({ name }) => wanted === 'all' || name === wanted);
  if (chosen.length === 0)
    throw new StartError(
      `no stream ${wanted} that can be rebuilt. These can: ${owned.map(({ name }) => name).join(', ')}.`,
    );
  await withStreams(options, async (nats) => {
    for (const stream of chosen) await rebuildStream(nats, stream, (line: string) => console.log(line));
  });
}

/** Connects, creates missing streams, and runs `work` with the minimum number of replicas and all stream names. */
async function withStreams(
  options: OfSystem,
  work: (nats: Nats, copies: number, names: string[]) => Promise<void>,
): Promise<void> {
  const dataDir = dataDirOf(options);
  const { STREAMS } = await import('@cord/contracts/events/streams');
  const { copiesIn, ensureTopology } = await import('@cord/kit/topology');
  let copies: number;
  try {
    copies = copiesIn(process.env.NATS_REPLICAS);
  } catch (error) {
    throw new StartError((error as Error).message);
  }
  await withSetup(dataDir, async (nats) => {
    await ensureTopology(nats, { replicas: copies }).catch((error: Error) => {
      throw new StartError(`NATS refused streams with ${copies} copies: ${error.message}`);
    });
    const names = STREAMS.map(({ name }) => name);
    await work(nats, copies, names);
  });
}

async function show(nats: Nats, name: string, wanted: number): Promise<void> {
  const { created, config, state } = await nats.jsm.streams.info(name);
  const mib = (bytes: number) => (bytes / MIB).toFixed(1);
  const copies = `${config.num_replicas} ${config.num_replicas === 1 ? 'copy' : 'copies'}`;
  const kept = config.num_replicas > wanted ? ` (kept: more than NATS_REPLICAS, which is ${wanted})` : '';
  console.log(
    `${name}  ${state.messages} messages  ${mib(state.bytes)} of ${mib(config.max_bytes)} MiB  ${copies}${kept}  ${state.consumer_count} consumers  made ${created}`,
  );
}
