import { SERVICES } from '@cord/contracts/endpoint';
import { consumedBy, STREAMS, type StreamDefinition } from '@cord/contracts/events/streams';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { CONSUMER_ACK_PENDING_MAX, CONSUMER_ACK_WAIT_MS } from './bounds.js';
import type { Nats } from './nats.js';
import { isAbsent } from './topology/check.js';

/** Copies of a stream of which a majority may decide without ever being half of them; NATS holds no more. */
const COPIES = [1, 3, 5];

interface TopologyOptions {
  /** Copies of each stream in a NATS cluster, see `copiesIn`; 1 on one machine. A stream that has more keeps them. */
  replicas?: number;
  /** For tests whose NATS is never restarted. Default on disk; a stream that stands the other way is an error of NATS. */
  inMemory?: boolean;
}

/**
 * Makes or updates every stream and durable consumer of contracts' tables: `npx cord streams` alone, the
 * job before the services (and a start on one machine). Doing it twice changes nothing. Nothing becomes less by it: a stream keeps the room and the
 * age that an operator has given it beyond the table, and its copies; as many as the stream with the most has, all have.
 */
export async function ensureTopology(nats: Nats, options: TopologyOptions = {}): Promise<void> {
  const standing = await Promise.all(STREAMS.map(({ name }) => streamConfig(nats, name)));
  const replicas = Math.max(options.replicas ?? 1, ...standing.map((config) => config?.num_replicas ?? 1));
  await Promise.all(
    STREAMS.map((stream, index) => ensureStream(nats, stream, { ...options, replicas }, standing[index] ?? null)),
  );
  const consumers = SERVICES.flatMap((service) => consumedBy(service).map((stream) => ({ stream, service })));
  await Promise.all(consumers.map(({ stream, service }) => ensureConsumer(nats, stream, service)));
}

/**
 * How many copies of each stream are wanted at least, by NATS_REPLICAS: 1 where it is not set.
 * @throws RangeError that names the setting
 */
export function copiesIn(setting: string | undefined): number {
  const text = setting?.trim() || '1';
  const found = COPIES.find((copies) => String(copies) === text);
  if (found === undefined)
    throw new RangeError(`NATS_REPLICAS is ${JSON.stringify(setting)}: must be ${COPIES.join(', ')}`);
  return found;
}

/** What is set of a stream; null when there is none. @throws NATS's error when that is not known now */
export async function streamConfig({ jsm }: Pick<Nats, 'jsm'>, name: string): Promise<StreamConfig | null> {
  try {
    return (await jsm.streams.info(name)).config;
  } catch (err) {
    if (isAbsent(err)) return null;
    throw err;
  }
}

async function ensureStream(
  nats: Nats,
  definition: StreamDefinition,
  { replicas, inMemory = false }: TopologyOptions & { replicas: number },
  existing: StreamConfig | null,
): Promise<void> {
  const config = {
    name: definition.name,
    subjects: definition.subjects,
    retention: RetentionPolicy.Limits,
    storage: inMemory ? StorageType.Memory : StorageType.File,
    discard: DiscardPolicy.New,
    max_age: wider(existing?.max_age, nanos(definition.maxAgeMs)),
    max_bytes: wider(existing?.max_bytes, definition.maxBytes),
    max_msgs_per_subject: definition.maxPerSubject,
    duplicate_window: nanos(definition.duplicateWindowMs),
    num_replicas: replicas,
    allow_direct: true,
  } satisfies Partial<StreamConfig>;
  if (!existing) {
    await nats.jsm.streams.add(config);
    return;
  }
  const differs = Object.entries(config).some(
    ([key, value]) => JSON.stringify(existing[key as keyof typeof config]) !== JSON.stringify(value),
  );
  if (!differs) return;
  await nats.jsm.streams.update(config.name, config);
}

/** The wider of two limits, of which one that is not above 0 is none. */
function wider(standing: number | undefined, wanted: number): number {
  if (standing === undefined) return wanted;
  return standing <= 0 || wanted <= 0 ? Math.min(standing, wanted) : Math.max(standing, wanted);
}

async function ensureConsumer(nats: Nats, stream: string, durable: string): Promise<void> {
  const config = {
    ack_wait: nanos(CONSUMER_ACK_WAIT_MS),
    max_ack_pending: CONSUMER_ACK_PENDING_MAX,
    // The kit counts deliveries itself and writes the dead letter; a server's limit would drop silently.
    max_deliver: -1,
  } satisfies Partial<ConsumerConfig>;
  const existing = await nats.jsm.consumers.info(stream, durable).catch((err: unknown) => {
    if (isAbsent(err)) return null;
    throw err;
  });
  const add = () =>
    nats.jsm.consumers.add(stream, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ...config,
    });
  if (!existing) {
    await add();
    return;
  }
  // The stream has lost its end: what comes into it at the lost places would never be delivered.
  if (existing.delivered.stream_seq > (await nats.jsm.streams.info(stream)).state.last_seq) {
    await nats.jsm.consumers.delete(stream, durable);
    await add();
    return;
  }
  const differs = Object.entries(config).some(([key, value]) => existing.config[key as keyof typeof config] !== value);
  if (differs) await nats.jsm.consumers.update(stream, durable, config);
}
