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

/** Valid numbers of stream copies: odd, so that a majority is never half of them; NATS allows at most 5. */
const COPIES = [1, 3, 5];

interface TopologyOptions {
  /** Copies of each stream in a NATS cluster, see `copiesIn`; 1 on one machine. A stream with more copies keeps them. */
  replicas?: number;
  /** For tests whose NATS is never restarted. Default on disk; NATS rejects a change for an existing stream. */
  inMemory?: boolean;
}

/**
 * Creates or updates every stream and durable consumer in the contracts' tables; only `npx cord streams` runs it, the job before the
 * services (and a start on one machine). Idempotent, and never reduces anything: a stream keeps larger limits that an operator has set, and
 * its copies. All streams get as many copies as the one with the most.
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
 * Returns the minimum copies of each stream, from NATS_REPLICAS; default 1.
 * @throws RangeError that names the setting
 */
export function copiesIn(setting: string | undefined): number {
  const text = setting?.trim() || '1';
  const found = COPIES.find((copies) => String(copies) === text);
  if (found === undefined)
    throw new RangeError(`NATS_REPLICAS is ${JSON.stringify(setting)}: must be ${COPIES.join(', ')}`);
  return found;
}

/** Returns a stream's configuration; null when there is none. @throws NATS's error when it is unknown now */
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

/** Returns the larger of two limits; a limit of 0 or less is unlimited. */
function wider(standing: number | undefined, wanted: number): number {
  if (standing === undefined) return wanted;
  return standing <= 0 || wanted <= 0 ? Math.min(standing, wanted) : Math.max(standing, wanted);
}

async function ensureConsumer(nats: Nats, stream: string, durable: string): Promise<void> {
  const config = {
    ack_wait: nanos(CONSUMER_ACK_WAIT_MS),
    max_ack_pending: CONSUMER_ACK_PENDING_MAX,
    // The kit counts failures and writes the dead letter; a server-side limit would drop messages silently.
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
  // The stream has lost its end: new messages at the lost positions would never be delivered.
  if (existing.delivered.stream_seq > (await nats.jsm.streams.info(stream)).state.last_seq) {
    await nats.jsm.consumers.delete(stream, durable);
    await add();
    return;
  }
  const differs = Object.entries(config).some(([key, value]) => existing.config[key as keyof typeof config] !== value);
  if (differs) await nats.jsm.consumers.update(stream, durable, config);
}
