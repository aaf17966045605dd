import type { StreamDefinition } from '@cord/contracts/events/streams';
import type { Nats } from '@cord/kit/nats';
import { connectAsSetup, rebuildStream, remakeStreams } from '../../../dev/starter/streams.ts';

const READ_MS_MAX = 30_000;
const SHOWN_MAX = 5;

/** What events of one subject tell. */
type Told = Record<string, unknown>;

interface StreamStates {
  created: string;
  states: Map<string, string>;
}

/**
 * Deletes every stream of a running system, makes each anew, empty, and has its owner say all of it again, as an operator does after a loss of
 * power at NATS (`npx cord streams rebuild`).
 * @returns what is wrong then, one line each: a stream that was not deleted, a state that is not told again as it was
 */
export async function tellAllAnew(dataDir: string): Promise<string[]> {
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

/** @returns what each stream tells, by its name */
async function statesIn(nats: Nats, streams: StreamDefinition[]): Promise<Map<string, StreamStates>> {
  const found = new Map<string, StreamStates>();
  for (const { name } of streams) {
    const { created, state } = await nats.jsm.streams.info(name);
    found.set(name, { created, states: await statesOf(nats, name, state.messages) });
  }
  return found;
}

/** What a stream tells of each, without when and by which version of its document: these are new where it is told anew. */
async function statesOf(nats: Nats, stream: string, messages: number): Promise<Map<string, string>> {
  const read: { of: string; told: Told; seq: bigint }[] = [];
  if (messages > 0) {
    const consumer = await nats.js.consumers.get(stream);
    for await (const message of await consumer.fetch({ max_messages: messages, expires: READ_MS_MAX })) {
      const { v: _v, id: _id, at: _at, seq, ...told } = message.json<Told>();
      read.push({ ...subjectOf(message.subject, told), seq: BigInt(seq as string) });
    }
  }
  const states = new Map<string, Told>();
  for (const { of, told } of read.sort((one, other) => Number(one.seq - other.seq)))
    states.set(of, { ...states.get(of), ...told });
  return new Map([...states].map(([of, told]) => [of, JSON.stringify(Object.entries(told).sort())]));
}

/**
 * Of whom an event tells, and what: of a node the verb that came last says all; one that was stopped while it was paused is told anew as
 * stopped, and with the node time of the day on which it is told. An update of a user is told anew as a registration, which says as much.
 */
function subjectOf(subject: string, told: Told): { of: string; told: Told } {
  const [, thing, , verb, userId] = subject.split('.');
  if (thing !== 'node') return { of: subject.replace('cord.user.v1.updated.', 'cord.user.v1.registered.'), told };
  const { day: _, ...rest } = told;
  return { of: `node of ${userId}`, told: { ...rest, runs: verb === 'started' } };
}

function differences(name: string, before?: StreamStates, after?: StreamStates): string[] {
  if (!before || !after) return [`${name} is not there`];
  const wrong = before.created === after.created ? [`${name} was not made anew`] : [];
  if (before.states.size === 0) wrong.push(`${name} told nothing before`);
  for (const of of new Set([...before.states.keys(), ...after.states.keys()]))
    if (before.states.get(of) !== after.states.get(of))
      wrong.push(`${name}, ${of}: ${before.states.get(of)} before, ${after.states.get(of)} after`);
  return wrong.slice(0, SHOWN_MAX);
}
