import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@cord/contracts/endpoint';
import { readerNames } from '@cord/contracts/events/streams';
import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  DeliverPolicy,
  JetStreamApiError,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { CONSUMER_RESUME_MS, ORDERED_HEARTBEAT_MS, READER_INACTIVE_MS } from '../bounds.js';
import type { Nats } from '../nats.js';
import type { Consuming, EventHandler } from './consume.js';
import { isCopy } from './copied.js';

export interface OrderedOptions {
  stream: string;
  handlers: readonly EventHandler[];
  /** Begin after this place in the stream; default from the first message. */
  afterStreamSeq?: number;
  /** How often the server says that it has nothing more, ms; at least 500. */
  heartbeatMs?: number;
}

/**
 * Reads a stream whole and in order for a read model in memory (design.md, Events). Starts again from where it stood
 * when the consumer is lost; when the stream itself was made anew, from its beginning. A message that does not fit or
 * whose handler throws is logged and passed over: state in a later message makes up for it.
 * `caughtUp` resolves when everything that was there at the start has been handled: by what the server counts as
 * pending, or, where its count is wrong (it drifts after purges), when it says that it has nothing more. Never by a place
 * in the stream: the message that stood there may have been purged.
 */
export function orderedConsume(nats: Nats, options: OrderedOptions): Consuming & { caughtUp: Promise<void> } {
  const stopping = new AbortController();
  const names = readerNames(nats.service as ServiceName, nats.replica);
  let taken = 0;
  let messages: ConsumerMessages | undefined;
  let doneSeq = options.afterStreamSeq ?? 0;
  let resolveCaughtUp: () => void = () => undefined;
  const caughtUp = new Promise<void>((resolve) => {
    resolveCaughtUp = resolve;
  });

  const readOn = async (): Promise<void> => {
    const { state } = await nats.jsm.streams.info(options.stream);
    if (state.last_seq < doneSeq) doneSeq = 0;
    const name = names[taken++ % names.length] ?? names[0];
    const consumer = await makeReader(nats, options.stream, name, doneSeq + 1);
    try {
      const waiting = (await consumer.info(true)).num_pending;
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
        await handleInOrder(nats, options.handlers, msg);
        doneSeq = msg.seq;
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
    async stop() {
      restart();
      stopping.abort();
      messages?.stop();
      await running;
    },
  };
}

/** Runs whenever the server says that it has nothing to deliver; ends with the reading. */
async function onHeartbeat(reading: ConsumerMessages, run: () => void): Promise<void> {
  for await (const status of reading.status()) if (status.type === 'heartbeat') run();
}

/**
 * A consumer of one of this replica's two names, from this place on. One that stands there is a past life's.
 * The names are fixed so that NATS can be told which consumers a service may make and delete (design.md, Events).
 */
async function makeReader(nats: Nats, stream: string, name: string, fromSeq: number): Promise<Consumer> {
  await nats.jsm.consumers.delete(stream, name).catch((err: unknown) => {
    if (!(err instanceof JetStreamApiError)) throw err;
  });
  const info = await nats.jsm.consumers.add(stream, {
    name,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: fromSeq,
    inactive_threshold: nanos(READER_INACTIVE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  return nats.js.consumers.getConsumerFromInfo(info);
}

async function handleInOrder(nats: Nats, handlers: readonly EventHandler[], msg: JsMsg): Promise<void> {
  const { subject, seq: streamSeq } = msg;
  const [, thing, , verb] = subject.split('.');
  const handler = handlers.find(({ kind }) => kind.thing === thing && kind.verb === verb);
  if (!handler) return;
  if (isCopy(msg)) {
    nats.log.error({ subject, streamSeq }, 'a copy of a stored message stands where events do; passed over');
    return;
  }
  try {
    const event = handler.kind.schema.parse(msg.json());
    await handler.handle(event, { subject, streamSeq, deliveryCount: 1 });
  } catch (err) {
    nats.log.error({ err, subject, streamSeq }, 'an event could not be read; passed over');
  }
}
