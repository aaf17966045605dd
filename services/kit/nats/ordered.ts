import { setTimeout as sleep } from 'node:timers/promises';
import { type ConsumerMessages, DeliverPolicy } from '@nats-io/jetstream';
import { CONSUMER_RESUME_MS, ORDERED_HEARTBEAT_MS } from '../bounds.js';
import type { Nats } from '../nats.js';
import type { Consuming, EventHandler } from './consume.js';

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
  let messages: ConsumerMessages | undefined;
  let doneSeq = options.afterStreamSeq ?? 0;
  let resolveCaughtUp: () => void = () => undefined;
  const caughtUp = new Promise<void>((resolve) => {
    resolveCaughtUp = resolve;
  });

  const readOn = async (): Promise<void> => {
    const { state } = await nats.jsm.streams.info(options.stream);
    if (state.last_seq < doneSeq) doneSeq = 0;
    const consumer = await nats.js.consumers.get(options.stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: doneSeq + 1,
    });
    const waiting = (await consumer.info(true)).num_pending;
    if (waiting === 0) resolveCaughtUp();
    const reading = await consumer.consume({ idle_heartbeat: options.heartbeatMs ?? ORDERED_HEARTBEAT_MS });
    messages = reading;
    if (stopping.signal.aborted) reading.stop();
    let handled = 0;
    void onHeartbeat(reading, () => {
      if (reading.getReceived() === handled) resolveCaughtUp();
    });
    for await (const msg of reading) {
      if (stopping.signal.aborted) return;
      await handleInOrder(nats, options.handlers, msg.subject, msg.data, msg.seq);
      doneSeq = msg.seq;
      handled += 1;
      if (msg.info.pending === 0 || handled >= waiting) resolveCaughtUp();
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

async function handleInOrder(
  nats: Nats,
  handlers: readonly EventHandler[],
  subject: string,
  data: Uint8Array,
  streamSeq: number,
): Promise<void> {
  const [, thing, , verb] = subject.split('.');
  const handler = handlers.find(({ kind }) => kind.thing === thing && kind.verb === verb);
  if (!handler) return;
  try {
    const event = handler.kind.schema.parse(JSON.parse(new TextDecoder().decode(data)));
    await handler.handle(event, { subject, streamSeq, deliveryCount: 1 });
  } catch (err) {
    nats.log.error({ err, subject, streamSeq }, 'an event could not be read; passed over');
  }
}
