import type { Connection } from 'mongoose';

/** One run through all that an owner must publish to a stream. */
export interface Run {
  id: string;
  /** Creation time of the target stream, by the server. */
  created: string;
  /** The sources' collections in order: a release with others starts over. */
  of: string[];
  /** Index of the current source, and its last published id. */
  source: number;
  after: string | null;
  /** Ids being published. */
  inHand: string[];
  documents: number;
  published: number;
  unfit: number;
}

/** An owner's record of one of its streams, in its own store. */
export interface StreamMarks {
  _id: string;
  /** Creation time of the stream that holds everything published; absent before the first run. */
  created?: string;
  /** A known position in the stream: one that ends before it has lost its end. */
  lastSeq?: number;
  run?: Run;
  last?: { documents: number; published: number; unfit: number };
  /** Ids of the servers that hold what was published before this owner met them, latest last. */
  servers?: string[];
}

/** Maximum servers remembered, restarted ones included; forgotten ones are checked again. */
const SERVERS_MAX = 16;

export function beginRun(id: string, created: string, of: string[]): Run {
  return { id, created, of, source: 0, after: null, inHand: [], documents: 0, published: 0, unfit: 0 };
}

/** Records of a service's streams. Continuing a run that was started over meanwhile fails. */
export function streamMarks(store: Connection) {
  const marks = store.collection<StreamMarks>('streams');
  return {
    of: (stream: string): Promise<StreamMarks | null> => marks.findOne({ _id: stream }),
    /** Starts a run, replacing a current one. */
    async begin(stream: string, run: Run): Promise<Run> {
      await marks.updateOne({ _id: stream }, { $set: { run } }, { upsert: true });
      return run;
    },
    /** @returns false when another run has replaced it */
    async keep(stream: string, run: Run): Promise<boolean> {
      return (await marks.updateOne({ _id: stream, 'run.id': run.id }, { $set: { run } })).matchedCount === 1;
    },
    /** @returns false when another run has replaced it */
    async end(stream: string, { id, created, documents, published, unfit }: Run, lastSeq: number): Promise<boolean> {
      const outcome = { created, lastSeq, last: { documents, published, unfit } };
      const ended = await marks.updateOne({ _id: stream, 'run.id': id }, { $set: outcome, $unset: { run: '' } });
      return ended.matchedCount === 1;
    },
    /** Records that a server holds everything published before. */
    async met(stream: string, server: string): Promise<void> {
      const servers = { $each: [server], $slice: -SERVERS_MAX };
      await marks.updateOne({ _id: stream, servers: { $ne: server } }, { $push: { servers } });
    },
    /** Records the stream's position, when further than known. */
    async seen(stream: string, { created, lastSeq = 0 }: StreamMarks, seq: number): Promise<void> {
      if (seq > lastSeq) await marks.updateOne({ _id: stream, created: created as string }, { $max: { lastSeq: seq } });
    },
  };
}
