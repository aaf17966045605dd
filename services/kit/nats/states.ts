import { STATE_PLACES_MAX, STATE_TRIES_MAX } from '../bounds.js';
import { lru } from '../lru.js';

/** Position of a subject's last message in its stream, and the seq of its state. */
export interface Place {
  readonly place: number;
  readonly seq: bigint;
}

/** A subject without messages: every state follows it. */
export const NOWHERE: Place = { place: 0, seq: -1n };

/** A state to publish, with its subject and document version. */
export interface StateOf {
  readonly subject: string;
  readonly seq: bigint;
}

/** A stream that keeps the last message of each subject. */
export interface StateStream<S extends StateOf> {
  /** Returns the last message of the state's subject. */
  last(state: S): Promise<Place>;
  /** Writes the state after the subject's message at that position. Null when another message is there. */
  put(state: S, afterPlace: number): Promise<Published | null>;
}

export interface Published {
  streamSeq: number;
  /** The state, or a newer one, was already there. */
  duplicate: boolean;
}

/** Bounds of the publisher; smaller in tests. */
export type StateBounds = typeof BOUNDS;

const BOUNDS = {
  /** Positions remembered, so that most publishes need no read first. */
  places: STATE_PLACES_MAX,
  /** Maximum lost races before the caller must retry. */
  tries: STATE_TRIES_MAX,
};

/**
 * Publishes states to a stream that keeps the last message per subject, so that an older state never replaces a newer one, however late
 * a slow relay is (services/README.md#events): each publish names the position it follows.
 * @returns a function that publishes one state; `last`, if the caller has just read it, saves a read
 */
export function createStatePublisher<S extends StateOf>(
  stream: StateStream<S>,
  { places, tries }: StateBounds = BOUNDS,
): (state: S, last?: Place) => Promise<Published> {
  const known = lru<string, Place>(places);
  /** Two publishes of one subject may finish in any order: the later position wins. */
  const remember = (subject: string, place: Place): Place => {
    if ((known.get(subject)?.place ?? -1) <= place.place) known.set(subject, place);
    return place;
  };
  const readLast = async (state: S): Promise<Place> => {
    const last = await stream.last(state);
    known.delete(state.subject);
    return remember(state.subject, last);
  };
  return async (state, seen) => {
    const { subject, seq } = state;
    let last = seen ?? known.get(subject) ?? (await readLast(state));
    for (let tried = 0; tried < tries; tried++) {
      // Equal: already there. Newer: it contains everything. A remembered position may have been purged, so read again.
      if (last.seq >= seq) {
        last = await readLast(state);
        if (last.seq >= seq) return { streamSeq: last.place, duplicate: true };
      }
      const published = await stream.put(state, last.place);
      if (published) {
        remember(subject, { place: published.streamSeq, seq });
        return published;
      }
      last = await readLast(state);
    }
    throw new Error(`others kept publishing on ${subject}`);
  };
}
