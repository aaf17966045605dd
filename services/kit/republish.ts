import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ServiceName } from '@cord/contracts/endpoint';
import type { EventKind } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import { republishRpc } from '@cord/contracts/rpc/republish';
import type { Connection } from 'mongoose';
import pLimit from 'p-limit';
import { awaitAll } from './batches.js';
import {
  REPUBLISH_BATCH,
  REPUBLISH_IN_FLIGHT_MAX,
  REPUBLISH_LEASE_MS,
  REPUBLISH_LOOK_EVERY_MS,
  REPUBLISH_RECENT_MS,
} from './bounds.js';
import type { Clock } from './clock.js';
import type { DataPlan, StateParts } from './collection.js';
import type { Leases } from './lease.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { UnpublishableEvent } from './nats/publishable.js';
import type { Nats } from './nats.js';
import type { OutboxEvent } from './outbox/items.js';
import { periodic } from './periodic.js';
import { notFound } from './problem.js';
import { purgeUserEvents } from './purge.js';
import { beginRun, type Run, type StreamMarks, streamMarks } from './republish/marks.js';
import { recentOf } from './republish/recent.js';

/** A collection whose documents' states are in a stream, as declared (`DocumentState`). */
interface StateSource {
  collection: string;
  kinds: readonly EventKind[];
  items(document: never): readonly OutboxEvent[] | Promise<readonly OutboxEvent[]>;
  isGone(document: never): boolean;
}

/** A document with states; without a version when each state has its own. */
interface StateDocument {
  _id: string;
  seq?: bigint | number;
}

/** A service's streams with their sources, in publishing order. */
type StreamSources = Readonly<Record<string, readonly StateSource[]>>;

const isTombstone = ({ erased }: { erased?: boolean }) => erased === true;

/** Returns the sources of a service's streams, in the order of its collections. */
function statesIn(data: DataPlan, parts: () => StateParts): StreamSources {
  const sources: Record<string, StreamSources[string][number][]> = {};
  for (const { name, states = [] } of data) {
    for (const { kinds, items, isGone = isTombstone } of states) {
      const bound = (document: never) => items(document, parts());
      const [{ thing }] = kinds as [EventKind];
      const stream = streamOf(thing).name;
      sources[stream] = [...(sources[stream] ?? []), { collection: name, kinds, items: bound, isGone }];
    }
  }
  return sources;
}

interface Parts {
  owner: ServiceName;
  /** The service's collections; those with `states` are published. */
  data: DataPlan;
  /** Inputs of `states` besides store and time. */
  parts?: object | undefined;
  nats: Nats;
  store: Connection;
  clock: Clock;
  leases: Leases;
  log: Log;
  metrics?: Metrics;
  /** Documents per read; fewer in tests. */
  batch?: number;
}

export type Republisher = ReturnType<typeof createRepublisher>;

/**
 * Republishes an owner's state: by id, in batches, by the lease holder, resuming where another stopped. It republishes everything when a
 * stream was recreated or ends before a known position, and on request. It republishes events of the last minutes when it meets an unknown
 * server, such as a restarted one: NATS acknowledges before it syncs to disk, and the known position is a minute old.
 */
export function createRepublisher(parts: Parts) {
  const { owner, data, nats, store, clock, leases, log, metrics, batch = REPUBLISH_BATCH } = parts;
  const sources = statesIn(data, () => ({ store, nowMs: clock.now(), ...parts.parts }));
  const marks = streamMarks(store);
  const recent = recentOf(store);
  const limit = pLimit(REPUBLISH_IN_FLIGHT_MAX);
  const stopping = new AbortController();
  const documents = ({ collection }: StateSource) => store.collection<{ _id: string }>(collection);

  const collectionsOf = (stream: string) => (sources[stream] ?? []).map(({ collection }) => collection);
  const beginIn = (stream: string, created: string) =>
    marks.begin(stream, beginRun(randomUUID(), created, collectionsOf(stream)));
  const idsAfter = async (source: StateSource, after: string | null): Promise<string[]> => {
    const filter = after === null ? {} : { _id: { $gt: after } };
    const found = documents(source)
      .find(filter, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(batch);
    return (await found.toArray()).map(({ _id }) => _id);
  };
  /** Returns those of some documents that may be published. */
  const readPublishable = async (source: StateSource, ids: readonly string[]): Promise<Map<string, never>> => {
    const found = await documents(source)
      .find({ _id: { $in: [...ids] } })
      .toArray();
    const there = found.filter((document) => !source.isGone(document as never));
    return new Map(there.map((document) => [document._id, document as never]));
  };
  /**
   * Raises a document above a version that was never its owner's: somebody with the owner's NATS password published it, and readers ignore lower ones.
   * @returns null when the document has reached it by itself
   */
  const raiseVersion = async (source: StateSource, _id: string, lastSeq: bigint): Promise<StateDocument | null> => {
    const collection = store.collection<StateDocument>(source.collection);
    const present = await collection.findOne({ _id });
    if (present?.seq === undefined || BigInt(present.seq) >= lastSeq) return null;
    const seq = typeof present.seq === 'bigint' ? lastSeq + 1n : Number(lastSeq) + 1;
    log.error(
      { collection: source.collection, _id, seq },
      'a stream had a later version than its owner: was its NATS password stolen?',
    );
    return collection.findOneAndUpdate({ _id, seq: present.seq }, { $set: { seq } }, { returnDocument: 'after' });
  };
  const publishOne = async (source: StateSource, document: never): Promise<{ published: number; unfit: number }> => {
    const counts = { published: 0, unfit: 0 };
    const { _id, seq } = document as StateDocument;
    let aboveSeq: bigint | null = null;
    for (const { subject, payload } of await source.items(document)) {
      try {
        const { isWritten, lastSeq } = await nats.republishState(subject, payload);
        if (isWritten) counts.published += 1;
        else if (payload.seq === String(seq) && lastSeq > BigInt(payload.seq) && lastSeq > (aboveSeq ?? 0n))
          aboveSeq = lastSeq;
      } catch (err) {
        if (!(err instanceof UnpublishableEvent)) throw err;
        log.error({ err, subject }, 'a state cannot be republished');
        counts.unfit += 1;
      }
    }
    const raised = aboveSeq === null ? null : await raiseVersion(source, _id, aboveSeq);
    return raised === null ? counts : sumOf([counts, await publishOne(source, raised as never)]);
  };
  /** Publishes a batch, and purges users erased meanwhile or before a crash in the middle of it. */
  const publishAll = async (source: StateSource, ids: readonly string[], resumed: boolean) => {
    const there = await readPublishable(source, ids);
    const publishing = [...there.values()].map((document) => limit(() => publishOne(source, document)));
    // Nothing is published after this, even after a failure.
    const counts = await awaitAll(publishing);
    const after = await readPublishable(source, ids);
    for (const id of resumed ? ids : there.keys()) if (!after.has(id)) await purgeUserEvents(nats, source.kinds, id);
    return sumOf(counts);
  };
  /** Continues a run. @returns whether this replica has completed it */
  const walk = async (stream: string, begun: Run): Promise<boolean> => {
    let run = begun;
    while (!stopping.signal.aborted && (await leases.acquire(leaseOf(stream), REPUBLISH_LEASE_MS))) {
      const source = sources[stream]?.[run.source];
      if (!source) return marks.end(stream, run, (await nats.jsm.streams.info(stream)).state.last_seq);
      if (run.inHand.length === 0) {
        const inHand = await idsAfter(source, run.after);
        run = inHand.length > 0 ? { ...run, inHand } : { ...run, source: run.source + 1, after: null };
        // Recorded before publishing, so that it is checked again after a crash.
        if (!(await marks.keep(stream, run))) return false;
        continue;
      }
      const { published, unfit } = await publishAll(source, run.inHand, run === begun);
      run = {
        ...run,
        after: run.inHand.at(-1) ?? run.after,
        inHand: [],
        documents: run.documents + run.inHand.length,
        published: run.published + published,
        unfit: run.unfit + unfit,
      };
    }
    return false;
  };
  /** Republishes recent events. @returns whether all of them are in the stream now */
  const publishRecent = async (stream: string): Promise<boolean> => {
    const noted = await recent.all();
    let published = 0;
    for (const source of sources[stream] ?? []) {
      const ids = noted.get(source.collection) ?? [];
      for (let at = 0; at < ids.length; at += batch) {
        if (stopping.signal.aborted || !(await leases.acquire(leaseOf(stream), REPUBLISH_LEASE_MS))) return false;
        published += (await publishAll(source, ids.slice(at, at + batch), false)).published;
      }
    }
    log.info({ stream, published }, 'connected to a new NATS server: recent events are in its stream');
    return true;
  };
  /** Checks a stream on one server. @returns whether nothing is missing */
  const checkStream = async (stream: string, server: string): Promise<boolean> => {
    const { created, state } = await nats.jsm.streams.info(stream);
    const known = await marks.of(stream);
    if (known && isWhole(known, created, state.last_seq) && known.servers?.includes(server)) {
      await marks.seen(stream, known, state.last_seq);
      return true;
    }
    const lease = await leases.acquire(leaseOf(stream), REPUBLISH_LEASE_MS);
    if (!lease) return false;
    try {
      const mark = await marks.of(stream);
      if (mark && isWhole(mark, created, state.last_seq)) {
        // Another may have done it before the lease was free.
        if (!mark.servers?.includes(server) && !(await publishRecent(stream))) return false;
      } else {
        const begun = mark?.run;
        const goesOn = begun?.created === created && isDeepStrictEqual(begun.of, collectionsOf(stream));
        const run = goesOn ? begun : await beginIn(stream, created);
        log.info({ stream, created, after: run.after }, 'republishing all state of a stream');
        if (!(await walk(stream, run))) return false;
        log.info({ stream, ...(await marks.of(stream))?.last }, 'republished all state of a stream');
      }
      await marks.met(stream, server);
      return true;
    } finally {
      await lease.release();
    }
  };
  const checkAllStreams = async (): Promise<void> => {
    const server = nats.nc.info?.server_id;
    const sinceMs = Date.now() - REPUBLISH_RECENT_MS;
    let missing = server === undefined;
    for (const stream of Object.keys(sources)) {
      if (server === undefined || stopping.signal.aborted || !nats.connected()) return;
      const isComplete = await checkStream(stream, server).catch((err: unknown) => {
        log.warn({ err, stream }, 'republishing failed; the next run continues');
        return false;
      });
      if (!isComplete) missing = true;
    }
    // A server that kept running has synced to disk by now. Records are kept until every stream has their events.
    if (!missing && nats.nc.info?.server_id === server) await recent.forget(sinceMs);
  };
  const checks = periodic(
    { clock, log, metrics },
    {
      name: 'republish',
      everyMs: REPUBLISH_LOOK_EVERY_MS,
      everywhere: 'it looks, and has a lease of each stream that it publishes anew',
      run: checkAllStreams,
    },
  );
  /** Checks run in sequence; a request during one starts another after it. */
  const checkNow = (): Promise<void> => checks.inTurn(checkAllStreams);
  const serveRequests = () =>
    nats.serve(republishRpc(owner), async ({ stream, begin }) => {
      if (!(stream in sources)) throw notFound('unknown-stream', `${owner} does not own ${stream}`);
      if (begin) {
        const { created } = await nats.jsm.streams.info(stream);
        await beginIn(stream, created);
        void checkNow();
      }
      return progressOf(await marks.of(stream));
    });
  const ends: (() => Promise<void> | void)[] = [];
  recent.watch(Object.keys(sources).flatMap(collectionsOf));
  return {
    /** Checks each stream, and republishes all state when the owner does not know the stream, or on request. */
    checkNow,
    /** Checks soon, every minute and after each reconnection, and serves requests. */
    start() {
      const serving = serveRequests();
      ends.push(nats.onReconnect(() => void checkNow()) as () => void, () => serving.stop());
      checks.start();
    },
    async stop() {
      stopping.abort();
      for (const end of ends) await end();
      await checks.stop();
    },
  };
}

const sumOf = (counts: readonly { published: number; unfit: number }[]) =>
  counts.reduce((sum, one) => ({ published: sum.published + one.published, unfit: sum.unfit + one.unfit }), {
    published: 0,
    unfit: 0,
  });

function leaseOf(stream: string): string {
  return `republish.${stream}`;
}

/** Whether the stream holds everything published, and no run is requested. */
function isWhole(mark: StreamMarks, created: string, lastSeq: number): boolean {
  return !mark.run && mark.created === created && lastSeq >= (mark.lastSeq ?? 0);
}

function progressOf(mark: StreamMarks | null) {
  const { documents, published, unfit } = mark?.run ?? mark?.last ?? { documents: 0, published: 0, unfit: 0 };
  return { running: mark?.run !== undefined, documents, published, unfit };
}
