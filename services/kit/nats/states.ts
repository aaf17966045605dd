import type { StreamDefinition } from '@cord/contracts/events/streams';
import { JetStreamApiError } from '@nats-io/jetstream';
import { PUBLISH_TIMEOUT_MS, STATE_PLACES_MAX, STATE_TRIES_MAX } from '../bounds.js';
import { createLru } from '../lru.js';
import type { Nats } from '../nats.js';

/** Where a subject's last message stands in its stream, and the seq of the state that it tells. */
interface Place {
  place: number;
  seq: bigint;
}

/** A subject without any message, or one whose message tells no seq: every state follows it. */
const NO_STATE = -1n;
/** JetStream: the last message of the subject is not the expected one. */
const WRONG_LAST_SEQUENCE = 10_071;

/** A state as it goes out. */
export interface State {
  stream: Pick<StreamDefinition, 'name'>;
  subject: string;
  text: string;
  msgId: string;
  /** Version of the emitting document. */
  seq: bigint;
}

/** Bounds of the publisher; fewer in proofs. */
export interface StateBounds {
  /** Places remembered, so that most publishes need no look before. */
  places: number;
  /** How often others may come between before it is left to the caller's next try. */
  tries: number;
}

/**
 * Publishes states so that in a stream that keeps the last message of each subject an older state never takes the place of
 * a newer one, however late a slow relay comes (design.md, Events): each publish names the place of the message that it follows.
 */
export function createStatePublisher(
  { js, jsm }: Pick<Nats, 'js' | 'jsm'>,
  { places, tries }: StateBounds = { places: STATE_PLACES_MAX, tries: STATE_TRIES_MAX },
): (state: State) => Promise<{ streamSeq: number; duplicate: boolean }> {
  const known = createLru<string, Place>(places);
  /** Two publishes of one subject may end in any order: the later place stays. */
  const remember = (subject: string, place: Place): Place => {
    if ((known.get(subject)?.place ?? -1) <= place.place) known.set(subject, place);
    return place;
  };
  const look = async (stream: string, subject: string): Promise<Place> => {
    const last = await jsm.streams.getMessage(stream, { last_by_subj: subject });
    known.delete(subject);
    return remember(subject, last ? { place: last.seq, seq: seqIn(last.data) } : { place: 0, seq: NO_STATE });
  };
  return async ({ stream, subject, text, msgId, seq }) => {
    let last = known.get(subject) ?? (await look(stream.name, subject));
    for (let tried = 0; tried < tries; tried++) {
      // Equal: it is there already. Newer: what stands there says all that this one would. A remembered place may have been purged.
      if (last.seq >= seq) {
        last = await look(stream.name, subject);
        if (last.seq >= seq) return { streamSeq: last.place, duplicate: true };
      }
      try {
        const expect = { lastSubjectSequence: last.place };
        const ack = await js.publish(subject, text, { msgID: msgId, timeout: PUBLISH_TIMEOUT_MS, expect });
        remember(subject, { place: ack.seq, seq });
        return { streamSeq: ack.seq, duplicate: ack.duplicate };
      } catch (err) {
        if (!(err instanceof JetStreamApiError) || err.code !== WRONG_LAST_SEQUENCE) throw err;
        last = await look(stream.name, subject);
      }
    }
    throw new Error(`others publish ${subject} at the same time`);
  };
}

/** The seq of a stored state. */
function seqIn(data: Uint8Array): bigint {
  try {
    return BigInt((JSON.parse(Buffer.from(data).toString('utf8')) as { seq: string }).seq);
  } catch {
    return NO_STATE;
  }
}
