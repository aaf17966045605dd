import type { ServiceName } from '@cord/contracts/endpoint';
import { republishRpc } from '@cord/contracts/rpc/republish';
import { beforeAll, expect, test } from 'vitest';
import type { Nats } from '../nats.js';
import { isGone } from '../purge.js';
import type { TestBackend } from './backend.js';
import { forAllTests } from './lifetimes.js';
import { storedAtRest } from './stored.js';

/** How many messages each stream loses: few in `npm test`, 1,000 in the proof. */
const LOST = Number(process.env.REPUBLISH_LOST ?? 5);
/** Makers of state that work side by side. */
const LANES = 8;
const LOOK_EVERY_MS = 50;
const REQUEST_MS_MAX = 10_000;
const READ_MS_MAX = 30_000;
/** A thousand people come one after the other. */
const TEST_MS_MAX = 900_000;

type Payload = Readonly<Record<string, unknown>>;

/** Whose state an event holds, and the state. Where several subjects have one key, the newest fields hold. */
type StateOf = (subject: string, payload: Payload) => readonly [key: string, state: Payload];

/** A running service with streams of its own. */
interface StreamOwner {
  backend: Pick<TestBackend, 'nats' | 'storeOf' | 'ensureTopology'>;
  /** Its streams; a subject is a state of its own unless set otherwise. */
  streams: Readonly<Record<string, StateOf | 'each subject'>>;
  /** Does once what leads to an event in each stream; called until each holds more than it loses. */
  make(): Promise<unknown>;
  /** Events that the owner may publish although nothing of them was lost. */
  alsoPublished?: number;
  /** Once, after the last: what stands in the streams beside the many. */
  finish?(): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Promises of a running service that its streams hold again all that they held, once they have lost their last messages, and
 * once they were made anew (services/README.md#events): by what `npx cord streams rebuild` requests, from its own `states.ts`.
 */
export function publishesAnewWhatWasLost(owner: ServiceName, start: () => Promise<StreamOwner>): void {
  const target = forAllTests(start);
  let nats: Nats;
  let names: string[];
  let before: Map<string, Map<string, Payload>>;
  const statesNow = async () => {
    const all = names.map(async (name) => [name, await statesOf(nats, name, target.streams[name])] as const);
    return new Map(await Promise.all(all));
  };
  const rebuildAll = async () => {
    const counts: number[] = [];
    for (const name of names) counts.push(await rebuild(nats, owner, name));
    return counts;
  };
  beforeAll(async () => {
    ({ nats } = target.backend);
    names = Object.keys(target.streams);
    const isShort = async (name: string) => (await nats.jsm.streams.info(name)).state.messages <= LOST;
    while ((await Promise.all(names.map(isShort))).includes(true))
      await Promise.all(Array.from({ length: LANES }, () => target.make()));
    await target.finish?.();
    await storedAtRest(target.backend, owner);
    before = await statesNow();
  }, TEST_MS_MAX);

  test(
    `what has lost its last ${LOST} messages publishes them again, and nothing more`,
    async () => {
      for (const name of names) expect([name, await loseLast(nats, name, LOST)]).toEqual([name, LOST]);
      expect(await statesNow()).not.toEqual(before);
      const counts = await rebuildAll();
      expect(await statesNow()).toEqual(before);
      for (const count of counts) expect(count).toBeLessThanOrEqual(LOST + (target.alsoPublished ?? 0));
      expect(await rebuildAll()).toEqual(names.map(() => 0));
    },
    TEST_MS_MAX,
  );

  test(
    'what was made anew publishes all again',
    async () => {
      for (const name of names) await nats.jsm.streams.delete(name);
      await target.backend.ensureTopology();
      await rebuildAll();
      expect(await statesNow()).toEqual(before);
      expect(await rebuildAll()).toEqual(names.map(() => 0));
    },
    TEST_MS_MAX,
  );
}

/** The states in a stream, by whose they are, without time and version of the document. */
async function statesOf(nats: Nats, stream: string, stateOf: StateOf | 'each subject' = 'each subject') {
  const { messages } = (await nats.jsm.streams.info(stream)).state;
  const read: { subject: string; payload: Payload; seq: bigint }[] = [];
  if (messages > 0) {
    const consumer = await nats.js.consumers.get(stream);
    for await (const message of await consumer.fetch({ max_messages: messages, expires: READ_MS_MAX })) {
      const { v: _v, id: _id, at: _at, seq, ...payload } = message.json<Record<string, unknown>>();
      read.push({ subject: message.subject, payload, seq: BigInt(seq as string) });
    }
  }
  expect(read.length, stream).toBe(messages);
  const states = new Map<string, Payload>();
  for (const { subject, payload } of read.sort((one, other) => Number(one.seq - other.seq))) {
    const [key, state] = stateOf === 'each subject' ? [subject, payload] : stateOf(subject, payload);
    states.set(key, { ...states.get(key), ...state });
  }
  return states;
}

/** @returns how many messages have gone */
async function loseLast(nats: Nats, stream: string, count: number): Promise<number> {
  const { first_seq, last_seq } = (await nats.jsm.streams.info(stream)).state;
  let lost = 0;
  for (let seq = last_seq; seq >= first_seq && lost < count; seq -= 1) {
    if (await deleteMessage(nats, stream, seq)) lost += 1;
  }
  return lost;
}

/** @returns false where a newer one of its subject had taken its place */
async function deleteMessage(nats: Nats, stream: string, seq: number): Promise<boolean> {
  try {
    return await nats.jsm.streams.deleteMessage(stream, seq, false);
  } catch (err) {
    if (isGone(err)) return false;
    throw err;
  }
}

/** @returns how many events the owner has published because they were missing */
async function rebuild(nats: Nats, owner: ServiceName, stream: string): Promise<number> {
  const request = (begin: boolean) =>
    nats.request(republishRpc(owner), { stream, begin }, { timeoutMs: REQUEST_MS_MAX });
  let far = await request(true);
  while (far.running) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    far = await request(false);
  }
  expect(far.unfit, stream).toBe(0);
  return far.published;
}
