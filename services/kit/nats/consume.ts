import { setTimeout as sleep } from 'node:timers/promises';
import { type EventKind, type EventOf, kindName, kindNameIn } from '@cord/contracts/events/envelope';
import { MAX_FAILURES, streamOf } from '@cord/contracts/events/streams';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import {
  CONSUMER_ACK_PENDING_MAX,
  CONSUMER_BACKOFF_MS,
  CONSUMER_BUSY_MAX,
  CONSUMER_CONCURRENCY,
  CONSUMER_DELIVERIES_MAX,
  CONSUMER_PREFETCH,
  CONSUMER_PULL_MS,
  CONSUMER_RESUME_MS,
  CONSUMER_STORE_WAIT_MS,
  CONSUMER_STORE_WAIT_MS_MAX,
  CONSUMER_WORKING_EVERY_MS,
} from '../bounds.js';
import { currentCause, readCause, runWithCause } from '../cause.js';
import { ClockIsWrong } from '../clock-watch.js';
import { lru } from '../lru.js';
import type { Nats } from '../nats.js';
import { Problem } from '../problem.js';
import { isStoreUnavailable } from '../store-errors.js';
import { withSpanFor } from '../tracing.js';
import { isCopy } from './copied.js';
import { deadLetterMessage, userOf } from './dead-letters.js';
import { readEvent } from './possible-version.js';

/** Work that runs until stopped; stop resolves when none of it runs any more. */
export type Consuming = ReturnType<typeof consume>;

/** A kind of event with its handler. */
export interface EventHandler {
  kind: EventKind;
  handle(event: unknown, delivery: Delivery): Promise<void>;
}

interface Delivery {
  subject: string;
  /** Position in the stream. */
  streamSeq: number;
  /** 1 on the first delivery. */
  deliveryCount: number;
}

/** Binds a kind to its handler, which gets the payload parsed by the kind's schema. */
export function on<K extends EventKind>(
  kind: K,
  handle: (event: EventOf<K>, delivery: Delivery) => Promise<void>,
): EventHandler {
  return { kind, handle: handle as EventHandler['handle'] };
}

export interface ConsumeOptions {
  stream: string;
  /** Kinds of this stream without a handler are acknowledged unread. */
  handlers: readonly EventHandler[];
  /** Durable name; default the service's. */
  durable?: string;
  /** Handler failures in one process after which a message becomes a dead letter. */
  maxFailures?: number;
  /** The same for 503 failures (Problem), counted separately. Above CONSUMER_DELIVERIES_MAX it bounds all deliveries instead. */
  maxBusy?: number;
  /** How long a message waits in place for a store that is away, ms. */
  storeWaitMsMax?: number;
}

/**
 * Reads a stream through a durable consumer (services/README.md#events). A message is acknowledged after its handler. A failed
 * one is redelivered with backoff and becomes a dead letter at the last failure; an invalid one at once. One that must wait for
 * its account only (Problem 503: busy, outbox full) is redelivered the same way and blocks no other. While the store is away
 * messages wait in place and are given back after a while, so that an outage makes no dead letters: failures count, not
 * deliveries. A message that ends its process has no failures, so its deliveries are bounded.
 */
export function consume(nats: Nats, options: ConsumeOptions) {
  const durable = options.durable ?? nats.service;
  const stopping = new AbortController();
  const failures: Failures = lru(CONSUMER_ACK_PENDING_MAX);
  const lanes = createLanes(CONSUMER_CONCURRENCY);
  let messages: ConsumerMessages | undefined;

  const pause = () => messages?.stop();
  const reader: Reader = { nats, options, durable, failures, signal: stopping.signal, pause };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const consumer = await nats.js.consumers.get(options.stream, durable);
        messages = await consumer.consume({
          max_messages: CONSUMER_PREFETCH,
          expires: CONSUMER_PULL_MS,
          abort_on_missing_resource: true,
        });
        if (stopping.signal.aborted) messages.stop();
        for await (const msg of messages) {
          if (stopping.signal.aborted) break;
          await lanes.add(userOf(msg.subject), () =>
            runWithCause(readCause(msg.headers), () => handleMessage(reader, msg)),
          );
        }
        // Paused: messages in hand wait in place; nothing is fetched, so nothing counts as redelivered.
        await lanes.idle();
      } catch (err) {
        if (stopping.signal.aborted) break;
        const text = err instanceof Error ? err.message : String(err);
        nats.log.warn({ stream: options.stream, durable }, `the consumer is unavailable, retrying: ${text}`);
      }
      await sleep(CONSUMER_RESUME_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      messages?.stop();
      await running;
      await lanes.idle();
    },
  };
}

/** Consumes every stream that holds one of these kinds. */
export function consumeEach(nats: Pick<Nats, 'consume'>, handlers: readonly EventHandler[]): Consuming[] {
  const streamOfOne = ({ kind }: EventHandler) => streamOf(kind.thing).name;
  const streams = [...new Set(handlers.map(streamOfOne))];
  return streams.map((stream) =>
    nats.consume({ stream, handlers: handlers.filter((each) => streamOfOne(each) === stream) }),
  );
}

/** Handler failures per message in this process, by stream position; as many as may be in hand at once. */
type Failures = Pick<ReturnType<typeof lru<number, Failed>>, 'get' | 'set' | 'delete'>;

interface Failed {
  readonly faults: number;
  /** 503 failures. */
  readonly busy: number;
}

interface Reader {
  nats: Nats;
  options: ConsumeOptions;
  durable: string;
  failures: Failures;
  signal: AbortSignal;
  pause: () => void;
}

async function handleMessage(reader: Reader, msg: JsMsg): Promise<void> {
  const { nats, options, durable, failures, signal, pause } = reader;
  const startMs = performance.now();
  const { subject, seq: streamSeq } = msg;
  const delivery = { subject, streamSeq, deliveryCount: msg.info.deliveryCount };
  const handler = handlerFor(options.handlers, msg.subject);
  if (!handler) {
    msg.ack();
    return;
  }
  if (isCopy(msg)) {
    nats.log.error(delivery, 'JetStream copied a stored message into an event subject; dropped');
    msg.term();
    return;
  }
  const event = parseEvent(handler.kind, msg);
  const toDeadLetters = async (reason: string) => {
    if (!(await deadLetterMessage(nats, { stream: options.stream, durable, msg, reason }))) {
      msg.nak(CONSUMER_BACKOFF_MS.at(-1));
      return;
    }
    failures.delete(streamSeq);
    msg.term();
  };
  if (event instanceof Error) {
    await toDeadLetters(`does not match its schema: ${event.message}`);
    return;
  }
  const deliveriesMax = Math.max(CONSUMER_DELIVERIES_MAX, options.maxBusy ?? 0);
  if (delivery.deliveryCount > deliveriesMax) {
    await toDeadLetters(`was delivered ${delivery.deliveryCount} times without being handled`);
    return;
  }
  try {
    const waitUntilMs = performance.now() + (options.storeWaitMsMax ?? CONSUMER_STORE_WAIT_MS_MAX);
    const step = { name: `handle ${kindNameIn(subject)}`, kind: 'consumer' } as const;
    await withSpanFor(nats.service, currentCause(), step, () =>
      handleWaiting({ nats, handler, event, delivery, msg, signal, pause, waitUntilMs }),
    );
    failures.delete(streamSeq);
    msg.ack();
    if (!nats.log.isLevelEnabled('debug')) return;
    nats.log.debug({ ...delivery, durable, ms: performance.now() - startMs }, 'an event was handled');
  } catch (err) {
    if (signal.aborted) {
      msg.nak();
      return;
    }
    if (mustWait(err)) {
      msg.nak(CONSUMER_BACKOFF_MS.at(-1));
      return;
    }
    nats.log.error({ err, ...delivery }, 'an event could not be handled');
    const failed = countFailure(failures.get(streamSeq), err);
    failures.set(streamSeq, failed);
    if (isLast(failed, options) || delivery.deliveryCount >= deliveriesMax) {
      await toDeadLetters(err instanceof Error ? `${err.name}: ${err.message}` : String(err));
    } else {
      msg.nak(CONSUMER_BACKOFF_MS[Math.min(failed.faults + failed.busy, CONSUMER_BACKOFF_MS.length) - 1]);
    }
  }
}

/** Whether the process must wait, not the event's account: for the store, or for its own clock. */
function mustWait(err: unknown): boolean {
  return isStoreUnavailable(err) || err instanceof ClockIsWrong;
}

function countFailure({ faults, busy }: Failed = { faults: 0, busy: 0 }, err: unknown): Failed {
  return err instanceof Problem && err.status === 503 ? { faults, busy: busy + 1 } : { faults: faults + 1, busy };
}

/** 503 is tolerated for longer than a fault, but not forever. */
function isLast({ faults, busy }: Failed, { maxFailures, maxBusy }: ConsumeOptions): boolean {
  return faults >= (maxFailures ?? MAX_FAILURES) || busy >= (maxBusy ?? CONSUMER_BUSY_MAX);
}

interface Waiting {
  nats: Nats;
  handler: EventHandler;
  event: unknown;
  delivery: Delivery;
  msg: JsMsg;
  signal: AbortSignal;
  pause: () => void;
  /** Machine time. */
  waitUntilMs: number;
}

/** Runs the handler. While the store is away it retries in place and marks the message as in progress. */
async function handleWaiting(waiting: Waiting): Promise<void> {
  const { nats, handler, event, delivery, msg, signal, pause, waitUntilMs } = waiting;
  const working = setInterval(() => msg.working(), CONSUMER_WORKING_EVERY_MS);
  try {
    while (true) {
      try {
        nats.assertClockTrusted();
        await handler.handle(event, delivery);
        return;
      } catch (err) {
        if (!mustWait(err) || signal.aborted || performance.now() >= waitUntilMs) throw err;
        pause();
        nats.log.warn(
          delivery,
          err instanceof ClockIsWrong
            ? 'the clock is wrong; an event waits'
            : 'the store is unavailable; an event waits',
        );
        await sleep(CONSUMER_STORE_WAIT_MS, undefined, { signal });
      }
    }
  } finally {
    clearInterval(working);
  }
}

/** Returns the handler of a subject's kind; none for a version that only a newer release knows. */
export function handlerFor(handlers: readonly EventHandler[], subject: string): EventHandler | undefined {
  const name = kindNameIn(subject);
  return handlers.find(({ kind }) => kindName(kind) === name);
}

function parseEvent(kind: EventKind, msg: JsMsg): unknown {
  try {
    return readEvent(kind, msg);
  } catch (err) {
    return err instanceof Error ? err : new Error(String(err));
  }
}

/** Runs tasks of one lane in sequence and different lanes concurrently, at most `width` in all. */
function createLanes(width: number) {
  const tails = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();
  return {
    /** Resolves when there is room for another task. */
    async add(lane: string, task: () => Promise<void>) {
      while (running.size >= width) await Promise.race(running);
      const tail = (tails.get(lane) ?? Promise.resolve()).then(task).catch(() => undefined);
      tails.set(lane, tail);
      running.add(tail);
      void tail.then(() => {
        running.delete(tail);
        if (tails.get(lane) === tail) tails.delete(lane);
      });
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
