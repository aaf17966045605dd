import type { StreamDefinition } from '@cord/contracts/events/streams';
import { JetStreamApiError, type JetStreamPublishOptions } from '@nats-io/jetstream';
import { PUBLISH_TIMEOUT_MS } from '../bounds.js';
import type { Nats } from '../nats.js';
import { NOWHERE, type Place, type Published, type StateOf, type StateStream } from './states.js';

/** JetStream: the last message of the subject is not the expected one. */
const WRONG_LAST_SEQUENCE = 10_071;

/** A state as it goes out over JetStream. */
export interface State extends StateOf {
  readonly stream: Pick<StreamDefinition, 'name'>;
  readonly text: string;
  /** Absent where the server may have seen it in a stream that has lost it since. */
  readonly msgId?: string;
}

/** The message that stands for a subject, with what it says. */
export interface Standing extends Place {
  /** Null for one that is no JSON. */
  readonly told: Readonly<Record<string, unknown>> | null;
}

/** The state streams of JetStream. */
export function stateStreams({ js, jsm }: Pick<Nats, 'js' | 'jsm'>): StateStream<State> & {
  last(state: Pick<State, 'stream' | 'subject'>): Promise<Standing>;
} {
  return {
    async last({ stream, subject }) {
      const last = await jsm.streams.getMessage(stream.name, { last_by_subj: subject });
      if (!last) return { ...NOWHERE, told: null };
      const told = toldIn(last.data);
      return { place: last.seq, seq: seqIn(told), told };
    },
    async put({ subject, text, msgId }, afterPlace): Promise<Published | null> {
      const options: Partial<JetStreamPublishOptions> = {
        timeout: PUBLISH_TIMEOUT_MS,
        expect: { lastSubjectSequence: afterPlace },
        ...(msgId === undefined ? {} : { msgID: msgId }),
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

function toldIn(data: Uint8Array): Standing['told'] {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8')) as Standing['told'];
  } catch {
    return null;
  }
}

/** A message that tells no seq is older than every state. */
function seqIn(told: Standing['told']): bigint {
  try {
    return BigInt(told?.seq as string);
  } catch {
    return NOWHERE.seq;
  }
}
