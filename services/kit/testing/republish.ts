import type { ServiceName } from '@cord/contracts/endpoint';
import { republishRpc } from '@cord/contracts/rpc/republish';
import { beforeAll, expect, test } from 'vitest';
import type { Nats } from '../nats.js';
import { isGone } from '../purge.js';
import type { TestBackend } from './backend.js';
import { forAllTests } from './lifetimes.js';
import { storedAtRest } from './stored.js';

/** Messages that each stream loses: few in `npm test`, 1,000 in the proof. */
const LOST = Number(process.env.REPUBLISH_LOST ?? 5);
/** Number of parallel state makers. */
const LANES = 8;
const POLL_MS = 50;
const REQUEST_MS_MAX = 10_000;
const READ_MS_MAX = 30_000;
/** Timeout, ms: a thousand users join one after the other. */
const TEST_MS_MAX = 900_000;

type Payload = Readonly<Record<string, unknown>>;

/** Returns the key and the state of an event. When several subjects share a key, the newest fields win. */
type StateOf = (subject: string, payload: Payload) => readonly [key: string, state: Payload];

/** A running service that owns streams. */
interface StreamOwner {
  backend: Pick<TestBackend, 'nats' | 'storeOf' | 'ensureTopology'>;
  /** Its streams; by default each subject is a state of its own. */
  streams: Readonly<Record<string, StateOf | 'each subject'>>;
  /** Triggers one event in each stream; called until each holds more than it loses. */
  make(): Promise<unknown>;
  /** Number of events that the owner may publish although they were not lost. */
  alsoPublished?: number;
  /** Runs once at the end: creates the remaining, rarer states. */
  finish?(): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Declares tests that a service's streams hold everything again after they lost their last messages, and after they were
 * recreated (services/README.md#events): by the request of `npx cord streams rebuild`, from its own `states.ts`.
 */
export function testRepublishing(owner: ServiceName, start: () => Promise<StreamOwner>): void {
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
    `a stream that has lost its last ${LOST} messages gets them again, and nothing more`,
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
    'a recreated stream gets all its messages again',
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

/** Returns the states in a stream by key, without time and document version. */
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

/** @returns number of deleted messages */
async function loseLast(nats: Nats, stream: string, count: number): Promise<number> {
  const { first_seq, last_seq } = (await nats.jsm.streams.info(stream)).state;
  let lost = 0;
  for (let seq = last_seq; seq >= first_seq && lost < count; seq -= 1) {
    if (await deleteMessage(nats, stream, seq)) lost += 1;
  }
  return lost;
}

/** @returns false when a newer message of its subject had replaced it */
async function deleteMessage(nats: Nats, stream: string, seq: number): Promise<boolean> {
  try {
    return await nats.jsm.streams.deleteMessage(stream, seq, false);
  } catch (err) {
    if (isGone(err)) return false;
    throw err;
  }
}

/** @returns number of missing events that the owner has published */
async function rebuild(nats: Nats, owner: ServiceName, stream: string): Promise<number> {
  const request = (begin: boolean) =>
    nats.request(republishRpc(owner), { stream, begin }, { timeoutMs: REQUEST_MS_MAX });
  let far = await request(true);
  while (far.running) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    far = await request(false);
  }
  expect(far.unfit, stream).toBe(0);
  return far.published;
}
