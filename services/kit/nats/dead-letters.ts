import { integerText } from '@cord/contracts/events/envelope';
import { DEAD_LETTERS, STREAMS, streamHolding } from '@cord/contracts/events/streams';
import type { JsMsg, SeqMsgRequest } from '@nats-io/jetstream';
import { z } from 'zod';
import {
  DEAD_LETTER_PAYLOAD_CHARS_MAX,
  DEAD_LETTERS_LISTED_MAX,
  DEAD_LETTERS_READ_MS_MAX,
  NATS_PAYLOAD_BYTES_MAX,
  PUBLISH_TIMEOUT_MS,
  STATE_TRIES_MAX,
} from '../bounds.js';
import { type Cause, currentCause, readCause, runWithCause } from '../cause.js';
import { jsonIn } from '../json.js';
import type { Nats } from '../nats.js';
import { remove } from '../purge.js';
import { isCopy } from './copied.js';
import { eventText, UnpublishableEvent } from './publishable.js';
import { stateStreams } from './state-streams.js';

/** A message that a consumer gave up, or an event that could not be published, with all that inspection and a retry need. */
const deadLetter = z.object({
  v: z.literal(1),
  /** The durable consumer that gave up; the service for an event that could not be published. */
  durable: z.string(),
  stream: z.string(),
  /** 0: it never reached its stream. */
  streamSeq: z.number().int(),
  subject: z.string().min(1),
  deliveries: z.number().int(),
  reason: z.string(),
  at: z.iso.datetime(),
  /** The message's text, cut at 256 Ki characters; a cut one cannot be retried. */
  payload: z.string(),
  complete: z.boolean(),
  /** Cause of the event, published again with it. */
  cause: z.object({ requestId: z.string().optional(), traceparent: z.string() }).optional(),
});
type DeadLetter = z.output<typeof deadLetter>;

interface DeadLettering {
  stream: string;
  durable: string;
  msg: JsMsg;
  reason: string;
}

/** Writes the dead letter. @returns false when it could not be written: the message must then stay */
export async function deadLetterMessage(nats: Nats, { stream, durable, msg, reason }: DeadLettering): Promise<boolean> {
  const letter = {
    durable,
    stream,
    streamSeq: msg.seq,
    subject: msg.subject,
    deliveries: msg.info.deliveryCount,
    reason,
    payload: msg.string(),
    ...causedBy(currentCause()),
  };
  try {
    await write(nats, letter, `dead:${durable}:${stream}:${msg.seq}`);
    return true;
  } catch (err) {
    nats.log.error(
      { err, stream, durable, streamSeq: msg.seq },
      'a dead letter could not be written; the message will be delivered again',
    );
    return false;
  }
}

/**
 * Stores an event that no stream will ever accept as a dead letter, so that it does not block the rest of its document.
 * @param msgId of the event: the same one gives the same dead letter
 * @throws NATS's error when it could not be written: the event must then stay
 */
export async function deadLetterEvent(
  nats: DeadLetterWriter,
  event: { subject: string; payload: unknown; msgId: string; err: Error },
) {
  const { subject, payload, msgId, err } = event;
  const [, thing = ''] = subject.split('.');
  const stream = streamHolding(thing)?.name ?? 'none';
  const letter = {
    durable: nats.service,
    stream,
    streamSeq: 0,
    subject,
    deliveries: 1,
    reason: err.message,
    payload: JSON.stringify(payload),
    ...causedBy(currentCause()),
  };
  await write(nats, letter, `dead:${nats.service}:${stream}:${msgId}`);
}

/** The part of NATS that writing a dead letter needs. */
export type DeadLetterWriter = Pick<Nats, 'js' | 'service' | 'log' | 'deadLettered'>;

/** The cause of a letter's event, if any. */
function causedBy(cause: Cause | undefined): { cause?: Cause } {
  return cause === undefined ? {} : { cause };
}

type Letter = Omit<DeadLetter, 'v' | 'at' | 'complete'>;

async function write(
  nats: DeadLetterWriter,
  { reason, payload, cause, ...letter }: Letter,
  msgID: string,
): Promise<void> {
  const { durable, stream, subject } = letter;
  const record: DeadLetter = {
    v: 1,
    ...letter,
    reason: reason.slice(0, 1_000),
    at: new Date().toISOString(),
    payload: payload.slice(0, DEAD_LETTER_PAYLOAD_CHARS_MAX),
    complete: payload.length <= DEAD_LETTER_PAYLOAD_CHARS_MAX,
    ...causedBy(cause),
  };
  const place = `cord.dead.v1.${durable}.${stream}.${userOf(subject)}`;
  await nats.js.publish(place, JSON.stringify(record), { msgID, timeout: PUBLISH_TIMEOUT_MS });
  nats.log.error({ ...letter, reason }, 'a message became a dead letter');
  nats.deadLettered(stream);
}

/** Deletes an erased user's dead letters, which hold the events' content (services/README.md#erasure). */
export async function purgeDeadLetters(nats: Nats, userId: string): Promise<void> {
  for await (const place of placesOf(nats, `cord.dead.v1.*.*.${userId}`)) await remove(nats, DEAD_LETTERS, place);
}

/** Returns the number of dead letters. */
export async function countDeadLetters(nats: Nats): Promise<number> {
  return (await nats.jsm.streams.info(DEAD_LETTERS)).state.messages;
}

/** Returns dead letters with their position in the dead letter stream, oldest first, at most 1,000. */
export async function listDeadLetters(nats: Nats): Promise<Array<DeadLetter & { deadSeq: number }>> {
  const found: Array<DeadLetter & { deadSeq: number }> = [];
  const consumer = await nats.js.consumers.get(DEAD_LETTERS);
  const waiting = Math.min((await consumer.info(true)).num_pending, DEAD_LETTERS_LISTED_MAX);
  if (waiting === 0) return found;
  for await (const msg of await consumer.fetch({ max_messages: waiting, expires: DEAD_LETTERS_READ_MS_MAX })) {
    const letter = deadLetter.safeParse(jsonIn(msg.string()));
    if (letter.success) found.push({ ...letter.data, deadSeq: msg.seq });
    if (msg.info.pending === 0) break;
  }
  return found;
}

/** Yields the place of every dead letter of now, also of an unreadable one, oldest first. */
export async function* deadLetterPlaces(nats: Pick<Nats, 'jsm'>): AsyncGenerator<number> {
  yield* placesOf(nats, 'cord.dead.>', (await nats.jsm.streams.info(DEAD_LETTERS)).state.last_seq);
}

/** Yields the places of the dead letters on subjects up to a place, oldest first. */
async function* placesOf(
  { jsm }: Pick<Nats, 'jsm'>,
  filter: string,
  upTo = Number.POSITIVE_INFINITY,
): AsyncGenerator<number> {
  for (let place = 0; place < upTo; ) {
    const query = { seq: place + 1, next_by_subj: filter } as SeqMsgRequest;
    const next = await jsm.streams.getMessage(DEAD_LETTERS, query);
    if (!next || next.seq > upTo) return;
    place = next.seq;
    yield place;
  }
}

/** The event that a retry would publish. */
interface Retriable {
  subject: string;
  payload: string;
}

/**
 * Publishes a dead letter's message again and deletes the letter. Every service may write letters, so only the position in a letter is
 * trusted: subject and payload are read from that stream, where only their owner can have put them. An event that never reached its stream
 * is published only if the letter's writer, by the letter's own subject, owns it. A stream keeps one message per subject: a newer state
 * makes the old one obsolete, and only the letter is deleted.
 * @param before runs, and is awaited, before each publish; again when another message arrived in the stream meanwhile
 * @throws RangeError for an unknown position, a message gone from its stream, or an event that still cannot be published; else NATS's error
 */
export async function retryDeadLetter(
  nats: Nats,
  deadSeq: number,
  before: (event: Retriable) => void | Promise<void> = () => undefined,
): Promise<'retried' | 'superseded'> {
  for (let tried = 0; tried < STATE_TRIES_MAX; tried++) {
    const outcome = await retryOnce(nats, deadSeq, before);
    if (outcome === null) continue;
    await nats.jsm.streams.deleteMessage(DEAD_LETTERS, deadSeq);
    return outcome;
  }
  throw new Error(`others kept publishing on the subject of dead letter ${deadSeq}; try again`);
}

/** @returns null when the subject's last message had changed by then */
async function retryOnce(
  nats: Nats,
  deadSeq: number,
  before: (event: Retriable) => void | Promise<void>,
): Promise<'retried' | 'superseded' | null> {
  const refuse = (why: string) => new RangeError(`dead letter ${deadSeq} ${why}`);
  const stored = await nats.jsm.streams.getMessage(DEAD_LETTERS, { seq: deadSeq });
  if (!stored) throw new RangeError(`there is no dead letter ${deadSeq}`);
  const letter = deadLetter.safeParse(jsonIn(stored.string()));
  if (!letter.success) throw refuse('is malformed and cannot be retried');
  const [, , , writer = '', stream = ''] = stored.subject.split('.');
  const found =
    letter.data.streamSeq > 0 ? await findInStream(nats, stream, letter.data) : unpublishedEvent(letter.data, writer);
  if (typeof found === 'string') throw refuse(found);
  const afterPlace = found === SUPERSEDED ? null : await placeBefore(nats, found);
  if (found === SUPERSEDED || afterPlace === null) return 'superseded';
  const { subject, payload, cause } = found;
  await before({ subject, payload: publishable(nats, found, refuse) });
  const state = { subject, text: payload, msgId: `retry:${writer}:${letter.data.streamSeq}:${deadSeq}` };
  return (await runWithCause(cause, () => stateStreams(nats).put(state, afterPlace))) && 'retried';
}

const SUPERSEDED = Symbol('a newer state stands there');

interface Event extends Retriable {
  stream: string;
  /** 0: not in its stream. */
  seq: number;
  cause?: Cause | undefined;
}

/** Returns the stored message that a letter names, or why it cannot be retried. */
async function findInStream(
  nats: Nats,
  stream: string,
  letter: DeadLetter,
): Promise<Event | typeof SUPERSEDED | string> {
  const definition = STREAMS.find(({ name }) => name === stream && name !== DEAD_LETTERS);
  if (!definition) return `names ${stream}, which is not a stream of events`;
  const seq = letter.streamSeq;
  const stored = await nats.jsm.streams.getMessage(stream, { seq });
  if (!stored) {
    const last = await nats.jsm.streams.getMessage(stream, { last_by_subj: letter.subject });
    if (last && last.seq > seq) return SUPERSEDED;
    return `cannot be retried: ${stream} has no message ${seq}; it was purged with its user, or never existed`;
  }
  if (isCopy({ headers: stored.header }))
    return `cannot be retried: message ${seq} of ${stream} is a copy made by JetStream`;
  return { subject: stored.subject, payload: stored.string(), stream, seq, cause: readCause(stored.header) };
}

/** Returns an event that never reached its stream, if its writer owns it; or why it cannot be retried. */
function unpublishedEvent({ subject, payload, complete, cause }: DeadLetter, writer: string): Event | string {
  const [, thing = ''] = subject.split('.');
  const stream = streamHolding(thing);
  if (stream?.owner !== writer) return `cannot be retried: ${writer} wrote it, but does not own ${subject}`;
  if (!complete) return 'was truncated and cannot be retried';
  return { subject, payload, stream: stream.name, seq: 0, cause };
}

/** Returns the text of an event that matches its schema. */
function publishable(nats: Nats, { subject, payload }: Retriable, refuse: (why: string) => RangeError): string {
  try {
    return eventText(subject, jsonIn(payload), nats.nc.info?.max_payload ?? NATS_PAYLOAD_BYTES_MAX);
  } catch (err) {
    if (err instanceof UnpublishableEvent) throw refuse(`cannot be retried: ${err.message}`);
    throw err;
  }
}

/** Returns the position of the message that the event must follow; null when a newer state is stored. */
async function placeBefore(nats: Nats, { stream, subject, seq, payload }: Event): Promise<number | null> {
  const last = await stateStreams(nats).last({ stream: { name: stream }, subject });
  if (seq > 0) return last.place > seq ? null : seq;
  return last.place > 0 && last.seq >= versionOf(payload) ? null : last.place;
}

/** Version of the document behind an event; -1 without one. */
function versionOf(text: string): bigint {
  const event = z.object({ seq: integerText }).safeParse(jsonIn(text));
  return event.success ? BigInt(event.data.seq) : -1n;
}

/** Returns the user: the last token of an event's subject. */
export function userOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}
