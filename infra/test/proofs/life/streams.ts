import type { StreamDefinition } from '@cord/contracts/events/streams';
import type { Nats } from '@cord/kit/nats';
import { connectAsSetup, rebuildStream, remakeStreams } from '../../../dev/starter/streams.ts';

const READ_MS_MAX = 30_000;
const SHOWN_MAX = 5;

/** The state in an event. */
type State = Record<string, unknown>;

interface StreamStates {
  created: string;
  states: Map<string, string>;
}

/**
 * Recreates every stream of a running system and has its owner republish it, as an operator does after a power loss at
 * NATS (`npx cord streams rebuild`).
 * @returns errors, one line each: a stream not deleted, a state not republished unchanged
 */
export async function republishAll(dataDir: string): Promise<string[]> {
  const { STREAMS } = await import('@cord/contracts/events/streams');
  const owned = STREAMS.filter(({ owner }) => owner !== 'all');
  const nats = await connectAsSetup(dataDir);
  try {
    const before = await statesIn(nats, owned);
    await remakeStreams(dataDir, process.env);
    for (const stream of owned) await rebuildStream(nats, stream, () => {});
    const after = await statesIn(nats, owned);
    return owned.flatMap(({ name }) => differences(name, before.get(name), after.get(name)));
  } finally {
    await nats.drain();
  }
}

/** @returns the states in each stream, by its name */
async function statesIn(nats: Nats, streams: StreamDefinition[]): Promise<Map<string, StreamStates>> {
  const found = new Map<string, StreamStates>();
  for (const { name } of streams) {
    const { created, state } = await nats.jsm.streams.info(name);
    found.set(name, { created, states: await statesOf(nats, name, state.messages) });
  }
  return found;
}

/** Returns the states of a stream without event time and document version: both change on a republish. */
async function statesOf(nats: Nats, stream: string, messages: number): Promise<Map<string, string>> {
  const read: { of: string; state: State; seq: bigint }[] = [];
  if (messages > 0) {
    const consumer = await nats.js.consumers.get(stream);
    for await (const message of await consumer.fetch({ max_messages: messages, expires: READ_MS_MAX })) {
      const { v: _v, id: _id, at: _at, seq, ...state } = message.json<State>();
      read.push({ ...subjectOf(message.subject, state), seq: BigInt(seq as string) });
    }
  }
  const states = new Map<string, State>();
  for (const { of, state } of read.sort((one, other) => Number(one.seq - other.seq)))
    states.set(of, { ...states.get(of), ...state });
  return new Map([...states].map(([of, state]) => [of, JSON.stringify(Object.entries(state).sort())]));
}

/**
 * Returns the subject of an event's state, and the state. A node's last verb is its state; a node stopped while paused is
 * republished as stopped, with the node time of the republish day. A user's update is republished as an equivalent registration.
 */
function subjectOf(subject: string, state: State): { of: string; state: State } {
  const [, thing, , verb, userId] = subject.split('.');
  if (thing !== 'node') return { of: subject.replace('cord.user.v1.updated.', 'cord.user.v1.registered.'), state };
  const { day: _, ...rest } = state;
  return { of: `node of ${userId}`, state: { ...rest, runs: verb === 'started' } };
}

function differences(name: string, before?: StreamStates, after?: StreamStates): string[] {
  if (!before || !after) return [`${name} is missing`];
  const wrong = before.created === after.created ? [`${name} was not recreated`] : [];
  if (before.states.size === 0) wrong.push(`${name} was empty before`);
  for (const of of new Set([...before.states.keys(), ...after.states.keys()]))
    if (before.states.get(of) !== after.states.get(of))
      wrong.push(`${name}, ${of}: ${before.states.get(of)} before, ${after.states.get(of)} after`);
  return wrong.slice(0, SHOWN_MAX);
}
