import { STATE_PLACES_MAX, STATE_TRIES_MAX } from '../bounds.js';
import { lru } from '../lru.js';

/** Where a subject's last message stands in its stream, and the seq of the state that it holds. */
export interface Place {
  readonly place: number;
  readonly seq: bigint;
}

/** A subject without any message: every state follows it. */
export const NOWHERE: Place = { place: 0, seq: -1n };

/** A state on its way: whose it is, and the version of its document. */
export interface StateOf {
  readonly subject: string;
  readonly seq: bigint;
}

/** A stream that keeps the last message of each subject. */
export interface StateStream<S extends StateOf> {
  /** The last message of the state's subject. */
  last(state: S): Promise<Place>;
  /** Writes the state after the subject's message at that place. Null when another stands there. */
  put(state: S, afterPlace: number): Promise<Published | null>;
}

export interface Published {
  streamSeq: number;
  /** It was there before, or a newer one is. */
  duplicate: boolean;
}

/** Bounds of the publisher; fewer in proofs. */
export type StateBounds = typeof BOUNDS;

const BOUNDS = {
  /** Places remembered, so that most publishes need no look before. */
  places: STATE_PLACES_MAX,
  /** How often others may come between before it is left to the caller's next try. */
  tries: STATE_TRIES_MAX,
};

/**
 * Publishes states so that in a stream that keeps the last message of each subject an older state never takes the place of
 * a newer one, however late a slow relay comes (services/README.md#events): each publish names the place of the message that it follows.
 * @returns publishes one; `last`, where the caller has looked just now, saves a look
 */
export function createStatePublisher<S extends StateOf>(
  stream: StateStream<S>,
  { places, tries }: StateBounds = BOUNDS,
): (state: S, last?: Place) => Promise<Published> {
  const known = lru<string, Place>(places);
  /** Two publishes of one subject may end in any order: the later place stays. */
  const remember = (subject: string, place: Place): Place => {
    if ((known.get(subject)?.place ?? -1) <= place.place) known.set(subject, place);
    return place;
  };
  const look = async (state: S): Promise<Place> => {
    const last = await stream.last(state);
    known.delete(state.subject);
    return remember(state.subject, last);
  };
  return async (state, seen) => {
    const { subject, seq } = state;
    let last = seen ?? known.get(subject) ?? (await look(state));
    for (let tried = 0; tried < tries; tried++) {
      // Equal: it is there already. Newer: what is there contains all that this one would. A remembered place may have been purged.
      if (last.seq >= seq) {
        last = await look(state);
        if (last.seq >= seq) return { streamSeq: last.place, duplicate: true };
      }
      const published = await stream.put(state, last.place);
      if (published) {
        remember(subject, { place: published.streamSeq, seq });
        return published;
      }
      last = await look(state);
    }
    throw new Error(`others publish ${subject} at the same time`);
  };
}
