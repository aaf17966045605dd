import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@cord/contracts/endpoint';
import { kindNameIn } from '@cord/contracts/events/envelope';
import { readerNames } from '@cord/contracts/events/streams';
import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { CONSUMER_RESUME_MS, ORDERED_HEARTBEAT_MS, ORDERED_OVERLAP_MS, READER_INACTIVE_MS } from '../bounds.js';
import { currentCause, readCause, runWithCause } from '../cause.js';
import type { Nats } from '../nats.js';
import { isAbsent } from '../topology/check.js';
import { withSpanFor } from '../tracing.js';
import { type Consuming, type EventHandler, handlerFor } from './consume.js';
import { isCopy } from './copied.js';
import { readEvent } from './possible-version.js';

/** Position up to which a stream was read. */
export interface StreamPlace {
  /** Creation time of the stream, by the server: a recreated stream has other positions. */
  created: string;
  seq: number;
  /** When that message was stored, by the server, ms since epoch; absent before the first. */
  atMs?: number | undefined;
  /** Id of the server that it was read from; changes with each server start. */
  server?: string | undefined;
}

/** A reader of a whole stream. */
export interface OrderedReading extends Consuming {
  caughtUp: Promise<void>;
  /** Position up to which everything is handled; null before the stream was seen. */
  place(): StreamPlace | null;
}

/** Whether the stream still has this position: it was not recreated and has not lost its end (services/README.md#events). */
export async function holdsPlace(nats: Pick<Nats, 'jsm'>, stream: string, place: StreamPlace): Promise<boolean> {
  const { created, state } = await nats.jsm.streams.info(stream);
  return created === place.created && state.last_seq >= place.seq;
}

export interface OrderedOptions {
  stream: string;
  handlers: readonly EventHandler[];
  /** Start after this position, if the stream still has it; default: the first message. */
  after?: StreamPlace;
  /** Interval of the server's idle heartbeats, ms; at least 500. */
  heartbeatMs?: number;
}

/**
 * Reads a stream whole and in order for a read model in memory. Resumes at its position when the consumer is lost, and from the beginning
 * when the stream was recreated. A restarted server may have lost the stream's end, and others may have written beyond the position by
 * now: from a server other than the position's, it reads from the time of the position on. An invalid message, or one whose handler
 * throws, is logged and skipped: a later message repairs the state.
 * `caughtUp` resolves when everything present at the start is handled: by the server's pending count or, because that drifts after
 * purges, by its idle heartbeat. Never by a position in the stream: the message there may have been purged.
 */
export function orderedConsume(nats: Nats, options: OrderedOptions): OrderedReading {
  const stopping = new AbortController();
  const names = readerNames(nats.service as ServiceName, nats.replica);
  let taken = 0;
  let messages: ConsumerMessages | undefined;
  let { created: made, seq: doneSeq = 0, atMs, server } = options.after ?? {};
  let resolveCaughtUp: () => void = () => undefined;
  const caughtUp = new Promise<void>((resolve) => {
    resolveCaughtUp = resolve;
  });

  const readOn = async (): Promise<void> => {
    const { created, state } = await nats.jsm.streams.info(options.stream);
    if (created !== made || state.last_seq < doneSeq) doneSeq = 0;
    made = created;
    const name = names[taken++ % names.length] ?? names[0];
    const present = nats.nc.info?.server_id;
    const from = doneSeq === 0 || present === server ? after(doneSeq) : since(atMs);
    const consumer = await makeReader(nats, options.stream, name, from);
    try {
      if (nats.nc.info?.server_id !== present) throw new Error('connected to another server meanwhile');
      const { num_pending: waiting, delivered } = await consumer.info(true);
      doneSeq = Math.min(doneSeq, delivered.stream_seq);
      server = present;
      if (waiting === 0) resolveCaughtUp();
      const reading = await consumer.consume({
        idle_heartbeat: options.heartbeatMs ?? ORDERED_HEARTBEAT_MS,
        abort_on_missing_resource: true,
      });
      messages = reading;
      if (stopping.signal.aborted) reading.stop();
      let handled = 0;
      void onHeartbeat(reading, () => {
        if (reading.getReceived() === handled) resolveCaughtUp();
      });
      for await (const msg of reading) {
        if (stopping.signal.aborted) return;
        if (msg.info.deliverySequence !== handled + 1) throw new Error('a message is missing');
        await runWithCause(readCause(msg.headers), () => handleInOrder(nats, options.handlers, msg));
        doneSeq = msg.seq;
        atMs = Math.floor(msg.info.timestampNanos / 1e6);
        handled += 1;
        if (msg.info.pending === 0 || handled >= waiting) resolveCaughtUp();
      }
    } finally {
      if (nats.connected()) await nats.jsm.consumers.delete(options.stream, name).catch(() => false);
    }
  };
  const restart = nats.onReconnect(() => messages?.stop());
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await readOn();
      } catch (err) {
        const text = err instanceof Error ? err.message : String(err);
        if (!stopping.signal.aborted) nats.log.warn({ stream: options.stream }, `reading in order stopped: ${text}`);
      }
      await sleep(CONSUMER_RESUME_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    caughtUp,
    place: () => (made === undefined ? null : { created: made, seq: doneSeq, atMs, server }),
    async stop() {
      restart();
      stopping.abort();
      messages?.stop();
      await running;
    },
  };
}

/** Start of a reader. */
type From = Pick<ConsumerConfig, 'deliver_policy' | 'opt_start_seq' | 'opt_start_time'>;

const after = (seq: number): From => ({ deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: seq + 1 });
const since = (atMs = 0): From => ({
  deliver_policy: DeliverPolicy.StartTime,
  opt_start_time: new Date(Math.max(0, atMs - ORDERED_OVERLAP_MS)).toISOString(),
});

/** Runs on each idle heartbeat of the server; ends with the reading. */
async function onHeartbeat(reading: ConsumerMessages, run: () => void): Promise<void> {
  for await (const status of reading.status()) if (status.type === 'heartbeat') run();
}

/**
 * Creates a consumer under one of this replica's two names, from a position on. An existing one belongs to an
 * earlier run. The names are fixed so that NATS permissions can list the consumers that a service may create
 * and delete.
 */
async function makeReader(nats: Nats, stream: string, name: string, from: From): Promise<Consumer> {
  await nats.jsm.consumers.delete(stream, name).catch((err: unknown) => {
    if (!isAbsent(err)) throw err;
  });
  const info = await nats.jsm.consumers.add(stream, {
    name,
    ack_policy: AckPolicy.None,
    ...from,
    inactive_threshold: nanos(READER_INACTIVE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  return nats.js.consumers.getConsumerFromInfo(info);
}

async function handleInOrder(nats: Nats, handlers: readonly EventHandler[], msg: JsMsg): Promise<void> {
  const { subject, seq: streamSeq } = msg;
  const handler = handlerFor(handlers, subject);
  if (!handler) return;
  if (isCopy(msg)) {
    nats.log.error({ subject, streamSeq }, 'JetStream copied a stored message into an event subject; skipped');
    return;
  }
  const delivery = { subject, streamSeq, deliveryCount: 1 };
  try {
    const event = readEvent(handler.kind, msg);
    const step = { name: `read ${kindNameIn(subject)}`, kind: 'consumer' } as const;
    await withSpanFor(nats.service, currentCause(), step, () => handler.handle(event, delivery));
    if (nats.log.isLevelEnabled('debug')) nats.log.debug(delivery, 'an event was read');
  } catch (err) {
    nats.log.error({ err, ...delivery }, 'an event could not be read; skipped');
  }
}
