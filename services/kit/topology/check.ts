import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@cord/contracts/endpoint';
import { consumedBy, readWholeBy, STREAMS, type StreamDefinition } from '@cord/contracts/events/streams';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { PermissionViolationError, RequestError } from '@nats-io/transport-node';
import { START_LOG_EVERY_MS, TOPOLOGY_LOOK_MS } from '../bounds.js';
import type { Nats } from '../nats.js';

/**
 * Waits until a service's streams and consumers exist. A service never creates or changes them, because two releases running
 * side by side would each do it differently. `npx cord streams` does, and so does a start on one machine.
 * @throws the signal's reason when stopped while waiting
 */
export async function awaitTopology(nats: Nats, service: ServiceName, signal?: AbortSignal): Promise<void> {
  for (let loggedAtMs = Number.NEGATIVE_INFINITY; ; ) {
    // JetStream responds only some time after the server's start, and in a cluster after a leader is elected.
    const missing = await missingTopology(nats, service).catch((err: unknown) => [
      `JetStream does not respond: ${err instanceof Error ? err.message : String(err)}`,
    ]);
    if (missing.length === 0) return;
    if (performance.now() - loggedAtMs >= START_LOG_EVERY_MS) {
      loggedAtMs = performance.now();
      nats.log.warn({ missing }, `waiting for npx cord streams: ${missing[0]}, ${missing.length} in all`);
    }
    await sleep(TOPOLOGY_LOOK_MS, undefined, signal ? { signal } : {});
  }
}

/**
 * Returns what is missing of the streams that a service owns, consumes or reads whole; empty once this release's
 * `npx cord streams` has run.
 * @returns `no stream CORD_TASKS`, `CORD_TASKS lacks the subject cord.task.*.>`, `no consumer CORD_TASKS/mining`
 * @throws Error when JetStream does not respond
 */
export async function missingTopology(nats: Pick<Nats, 'jsm'>, service: ServiceName): Promise<string[]> {
  const consumed = consumedBy(service);
  const read = new Set([...consumed, ...readWholeBy(service)]);
  const streams = STREAMS.filter(({ name, owner }) => owner === service || read.has(name));
  const looks = [
    ...streams.map((stream) => missingParts(nats, stream)),
    ...consumed.map(async (stream) =>
      (await found(() => nats.jsm.consumers.info(stream, service))) === null
        ? [`no consumer ${stream}/${service}`]
        : [],
    ),
  ];
  return (await Promise.all(looks)).flat();
}

async function missingParts({ jsm }: Pick<Nats, 'jsm'>, { name, subjects }: StreamDefinition): Promise<string[]> {
  const info = await found(() => jsm.streams.info(name));
  if (info === null) return [`no stream ${name}`];
  const lacks = info && subjects.filter((subject) => !info.config.subjects.includes(subject));
  return (lacks ?? []).map((subject) => `${name} lacks the subject ${subject}`);
}

/** @returns null when it does not exist; undefined when the request is not permitted */
async function found<T>(info: () => Promise<T>): Promise<T | null | undefined> {
  try {
    return await info();
  } catch (err) {
    if (isRefusal(err)) return undefined;
    if (isAbsent(err)) return null;
    throw err;
  }
}

/** Whether the server reports that a stream or consumer does not exist; an error without a leader does not count. */
export function isAbsent(err: unknown): boolean {
  const { StreamNotFound, ConsumerNotFound } = JetStreamApiCodes;
  return err instanceof JetStreamApiError && (err.code === StreamNotFound || err.code === ConsumerNotFound);
}

function isRefusal(err: unknown): boolean {
  if (err instanceof PermissionViolationError) return true;
  return err instanceof RequestError && err.cause instanceof PermissionViolationError;
}
