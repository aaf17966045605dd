import { STREAMS } from '@cord/contracts/events/streams';
import type { JsMsg } from '@nats-io/jetstream';
import { z } from 'zod';
import { DEAD_LETTER_PAYLOAD_CHARS_MAX, DEAD_LETTERS_LISTED_MAX, PUBLISH_TIMEOUT_MS } from '../bounds.js';
import type { Nats } from '../nats.js';

export const DEAD_STREAM = 'CORD_DEAD';

/** A message that a consumer gave up: everything needed to look at it and to try it again. */
export const deadLetter = z.object({
  v: z.literal(1),
  /** The durable consumer that gave up. */
  durable: z.string(),
  stream: z.string(),
  streamSeq: z.number().int(),
  subject: z.string(),
  deliveries: z.number().int(),
  reason: z.string(),
  at: z.iso.datetime(),
  /** The message's text; cut when longer than 256 Ki characters, then not to be retried. */
  payload: z.string(),
  complete: z.boolean(),
});
export type DeadLetter = z.output<typeof deadLetter>;

interface Burial {
  stream: string;
  durable: string;
  msg: JsMsg;
  reason: string;
}

/** Writes the dead-letter record. @returns false when it could not be written: the message must then stay. */
export async function buryMessage(nats: Nats, { stream, durable, msg, reason }: Burial): Promise<boolean> {
  const payload = msg.string();
  const record: DeadLetter = {
    v: 1,
    durable,
    stream,
    streamSeq: msg.seq,
    subject: msg.subject,
    deliveries: msg.info.deliveryCount,
    reason: reason.slice(0, 1_000),
    at: new Date().toISOString(),
    payload: payload.slice(0, DEAD_LETTER_PAYLOAD_CHARS_MAX),
    complete: payload.length <= DEAD_LETTER_PAYLOAD_CHARS_MAX,
  };
  try {
    const msgID = `dead:${durable}:${stream}:${msg.seq}`;
    await nats.js.publish(`cord.dead.v1.${durable}.${stream}`, JSON.stringify(record), {
      msgID,
      timeout: PUBLISH_TIMEOUT_MS,
    });
    nats.log.error(
      { stream, durable, subject: msg.subject, streamSeq: msg.seq, reason },
      'a message became a dead letter',
    );
    nats.buried(stream);
    return true;
  } catch (err) {
    nats.log.error(
      { err, stream, durable, streamSeq: msg.seq },
      'a dead letter could not be written; the message stays',
    );
    return false;
  }
}

/** How many dead letters there are. */
export async function countDeadLetters(nats: Nats): Promise<number> {
  return (await nats.jsm.streams.info(DEAD_STREAM)).state.messages;
}

/** Dead letters with their place in the dead-letter stream, oldest first, at most 1,000. */
export async function listDeadLetters(nats: Nats): Promise<Array<DeadLetter & { deadSeq: number }>> {
  const { state } = await nats.jsm.streams.info(DEAD_STREAM);
  const found: Array<DeadLetter & { deadSeq: number }> = [];
  for (let seq = state.first_seq; seq <= state.last_seq && found.length < DEAD_LETTERS_LISTED_MAX; seq++) {
    const stored = await nats.jsm.streams.getMessage(DEAD_STREAM, { seq }).catch(() => null);
    const parsed = deadLetter.safeParse(stored ? JSON.parse(stored.string()) : undefined);
    if (parsed.success) found.push({ ...parsed.data, deadSeq: seq });
  }
  return found;
}

/**
 * Publishes a dead letter's message again and takes the letter away. Where the stream keeps one message a subject and
 * a newer state stands there, that state makes the old one needless and only the letter goes.
 * @throws RangeError for an unknown place or a letter whose payload was cut
 */
export async function retryDeadLetter(nats: Nats, deadSeq: number): Promise<'retried' | 'superseded'> {
  const stored = await nats.jsm.streams.getMessage(DEAD_STREAM, { seq: deadSeq }).catch(() => null);
  if (!stored) throw new RangeError(`there is no dead letter ${deadSeq}`);
  const letter = deadLetter.parse(JSON.parse(stored.string()));
  if (!letter.complete) throw new RangeError(`dead letter ${deadSeq} was cut and cannot be retried`);
  const superseded = await isSuperseded(nats, letter);
  if (!superseded) {
    const msgID = `retry:${letter.durable}:${letter.streamSeq}:${deadSeq}`;
    await nats.js.publish(letter.subject, letter.payload, { msgID, timeout: PUBLISH_TIMEOUT_MS });
  }
  await nats.jsm.streams.deleteMessage(DEAD_STREAM, deadSeq);
  return superseded ? 'superseded' : 'retried';
}

async function isSuperseded(nats: Nats, letter: DeadLetter): Promise<boolean> {
  const definition = STREAMS.find(({ name }) => name === letter.stream);
  if (definition?.maxPerSubject !== 1) return false;
  const last = await nats.jsm.streams.getMessage(letter.stream, { last_by_subj: letter.subject }).catch(() => null);
  return last !== null && last.seq > letter.streamSeq;
}
