import { isDeepStrictEqual } from 'node:util';
import type { StreamDefinition } from '@cord/contracts/events/streams';
import { JetStreamApiError, type JetStreamPublishOptions } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { PUBLISH_TIMEOUT_MS, STATE_TRIES_MAX } from '../bounds.js';
import { type Cause, currentCause, writeCause } from '../cause.js';
import { jsonIn } from '../json.js';
import type { Nats } from '../nats.js';
import { isPossibleVersion } from './possible-version.js';
import { createStatePublisher, NOWHERE, type Place, type Published, type StateOf, type StateStream } from './states.js';

/** JetStream: the last message of the subject is not the expected one. */
const WRONG_LAST_SEQUENCE = 10_071;

/** A state as it goes out over JetStream. */
export interface State extends StateOf {
  readonly stream: Pick<StreamDefinition, 'name'>;
  readonly text: string;
  /** Absent when the server may remember it from a stream that has since lost it. */
  readonly msgId?: string;
}

/** Result of republishing a state. */
export interface Republished {
  isWritten: boolean;
  /** Version of the message that was there. */
  lastSeq: bigint;
}

/** The last message of a subject, with its payload. */
interface Standing extends Place {
  /** Null when it is not JSON. */
  readonly payload: Readonly<Record<string, unknown>> | null;
}

/** The state streams of JetStream. */
export function stateStreams({ js, jsm }: Pick<Nats, 'js' | 'jsm'>): StateStream<State> & {
  last(state: Pick<State, 'stream' | 'subject'>): Promise<Standing>;
  put(state: Pick<State, 'subject' | 'text' | 'msgId'>, afterPlace: number): Promise<Published | null>;
} {
  return {
    async last({ stream, subject }) {
      const last = await jsm.streams.getMessage(stream.name, { last_by_subj: subject });
      if (!last) return { ...NOWHERE, payload: null };
      const payload = payloadIn(last.data);
      const seq = seqIn(payload);
      // A version that no reader accepts counts as older than every state.
      return { place: last.seq, seq: isPossibleVersion(seq, last.time.getTime()) ? seq : NOWHERE.seq, payload };
    },
    async put({ subject, text, msgId }, afterPlace): Promise<Published | null> {
      const cause = currentCause();
      const options: Partial<JetStreamPublishOptions> = {
        timeout: PUBLISH_TIMEOUT_MS,
        expect: { lastSubjectSequence: afterPlace },
        ...(msgId === undefined ? {} : { msgID: msgId }),
        ...(cause === undefined ? {} : { headers: headersOf(cause) }),
      };
      try {
        const { seq, duplicate } = await js.publish(subject, text, options);
        return { streamSeq: seq, duplicate };
      } catch (err) {
        if (err instanceof JetStreamApiError && err.code === WRONG_LAST_SEQUENCE) return null;
        throw err;
      }
    },
  };
}

/**
 * Publishes states that a stream has lost (services/README.md#events): unless the subject's last message is not older, or holds the
 * same state of an earlier document version.
 * @returns whether it was written, and otherwise the version of the subject's last message
 */
export function createRepublish(nats: Pick<Nats, 'js' | 'jsm'>): (state: Omit<State, 'msgId'>) => Promise<Republished> {
  const streams = stateStreams(nats);
  // It visits everything once, so remembering positions is useless.
  const publish = createStatePublisher<State>(streams, { places: 1, tries: STATE_TRIES_MAX });
  return async (state) => {
    const last = await streams.last(state);
    const stands = { isWritten: false, lastSeq: last.seq };
    if (last.seq >= state.seq || isSameState(last.payload, JSON.parse(state.text))) return stands;
    return { ...stands, isWritten: !(await publish(state, last)).duplicate };
  };
}

/** Whether two events differ only in their time and document version. */
function isSameState(one: Standing['payload'], other: Record<string, unknown>): boolean {
  const stateIn = ({ v: _v, id: _id, at: _at, seq: _seq, ...state }: Record<string, unknown>) => state;
  return one !== null && isDeepStrictEqual(stateIn(one), stateIn(other));
}

function headersOf(cause: Cause) {
  const carrying = headers();
  writeCause(carrying, cause);
  return carrying;
}

const payloadIn = (data: Uint8Array): Standing['payload'] =>
  (jsonIn(Buffer.from(data).toString('utf8')) ?? null) as Standing['payload'];

/** A message without a seq counts as older than every state. */
function seqIn(payload: Standing['payload']): bigint {
  try {
    return BigInt(payload?.seq as string);
  } catch {
    return NOWHERE.seq;
  }
}
