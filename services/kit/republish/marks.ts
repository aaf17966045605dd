import type { Connection } from 'mongoose';

/** One passage through all that an owner has to publish in a stream. */
export interface Run {
  id: string;
  /** When the stream was made that it fills, by the server. */
  created: string;
  /** Collections of the sources, in their order: a release that has others begins anew. */
  of: string[];
  /** Which of the sources it is at, and the last id of it that is published. */
  source: number;
  after: string | null;
  /** Ids that go out now. */
  inHand: string[];
  documents: number;
  published: number;
  unfit: number;
}

/** What an owner remembers of one of its streams, in its own store. */
export interface StreamMarks {
  _id: string;
  /** When the stream was made that holds all that was published; absent before the first passage. */
  created?: string;
  /** A place that was seen in it: one that ends before has lost its end. */
  lastSeq?: number;
  run?: Run;
  last?: { documents: number; published: number; unfit: number };
  /** Ids of the servers that hold what was published before this owner met them, latest last. */
  servers?: string[];
}

/** Servers of a cluster that are known at a time, and those that were restarted: more are forgotten, and looked at again. */
const SERVERS_MAX = 16;

export function beginRun(id: string, created: string, of: string[]): Run {
  return { id, created, of, source: 0, after: null, inHand: [], documents: 0, published: 0, unfit: 0 };
}

/** The marks of a service's streams; who goes on with a run that was begun anew meanwhile finds that it is not its own any more. */
export function streamMarks(store: Connection) {
  const marks = store.collection<StreamMarks>('streams');
  return {
    of: (stream: string): Promise<StreamMarks | null> => marks.findOne({ _id: stream }),
    /** Begins a run, also in place of one that goes on. */
    async begin(stream: string, run: Run): Promise<Run> {
      await marks.updateOne({ _id: stream }, { $set: { run } }, { upsert: true });
      return run;
    },
    /** @returns false when the run is another's by now */
    async keep(stream: string, run: Run): Promise<boolean> {
      return (await marks.updateOne({ _id: stream, 'run.id': run.id }, { $set: { run } })).matchedCount === 1;
    },
    /** @returns false when the run is another's by now */
    async end(stream: string, { id, created, documents, published, unfit }: Run, lastSeq: number): Promise<boolean> {
      const outcome = { created, lastSeq, last: { documents, published, unfit } };
      const ended = await marks.updateOne({ _id: stream, 'run.id': id }, { $set: outcome, $unset: { run: '' } });
      return ended.matchedCount === 1;
    },
    /** Notes that a server holds all that was published before. */
    async met(stream: string, server: string): Promise<void> {
      const servers = { $each: [server], $slice: -SERVERS_MAX };
      await marks.updateOne({ _id: stream, servers: { $ne: server } }, { $push: { servers } });
    },
    /** Notes how far the stream has come, where it is further than is known. */
    async seen(stream: string, { created, lastSeq = 0 }: StreamMarks, seq: number): Promise<void> {
      if (seq > lastSeq) await marks.updateOne({ _id: stream, created: created as string }, { $max: { lastSeq: seq } });
    },
  };
}
