import { setTimeout as sleep } from 'node:timers/promises';
import { type KvEntry, Kvm, type KvWatchEntry } from '@nats-io/kv';
import type { QueuedIterator } from '@nats-io/transport-node';
import {
  WATCH_BEHIND_PROBES_MAX,
  WATCH_ENTRIES_MAX,
  WATCH_FILL_PROBES_MAX,
  WATCH_PROBE_MS,
  WATCH_PROBE_TIMEOUT_MS,
  WATCH_RESTART_MS,
} from '../bounds.js';
import type { Nats } from '../nats.js';
import type { Consuming } from './consume.js';

/** A key-value bucket held in memory and kept up by the server. */
export interface BucketWatch extends Consuming {
  get(key: string): string | undefined;
  entries(): ReadonlyMap<string, string>;
  /** Resolves when the whole bucket has been read for the first time. */
  ready: Promise<void>;
  isReady(): boolean;
  /** ms since it was last certain that memory and bucket agree; Infinity before that. Machine time. */
  staleMs(): number;
  /** Reads one key from the server. */
  refresh(key: string): Promise<void>;
  onChange(run: (key: string, value: string | undefined) => void): void;
}

/**
 * Watches a bucket. It restarts at once after a reconnection and whenever a probe finds it behind, and then reads the
 * bucket whole, so that keys which went meanwhile go here too.
 */
export function watchBucket(nats: Nats, bucket: string): BucketWatch {
  const stopping = new AbortController();
  const listeners: Array<(key: string, value: string | undefined) => void> = [];
  let entries = new Map<string, string>();
  let filling: Map<string, string> | undefined;
  let iterator: QueuedIterator<KvWatchEntry> | undefined;
  let seenSeq = 0;
  let madeAt = '';
  let agreedAtMs = Number.NEGATIVE_INFINITY;
  let resolveReady: () => void = () => undefined;
  let isReady = false;
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve;
  });

  const tell = (key: string, value: string | undefined) => {
    for (const run of listeners) run(key, value);
  };
  const apply = (entry: KvEntry): void => {
    const target = filling ?? entries;
    const value = entry.operation === 'PUT' ? entry.string() : undefined;
    if (value === undefined) target.delete(entry.key);
    else if (target.size < WATCH_ENTRIES_MAX || target.has(entry.key)) target.set(entry.key, value);
    else nats.log.error({ bucket }, 'the bucket is larger than memory may hold');
    // While the bucket is read anew, additions count at once and removals when the whole is read.
    if (filling && value !== undefined) entries.set(entry.key, value);
    tell(entry.key, value);
  };
  /** @param upTo revision up to which everything has been seen, also where the entry that bore it was purged */
  const agree = (upTo: number): void => {
    seenSeq = Math.max(seenSeq, upTo);
    if (filling) {
      const gone = [...entries.keys()].filter((key) => !filling?.has(key));
      entries = filling;
      filling = undefined;
      for (const key of gone) tell(key, undefined);
    }
    agreedAtMs = performance.now();
    isReady = true;
    resolveReady();
  };

  const follow = async (): Promise<void> => {
    const kv = await new Kvm(nats.js).open(bucket);
    const start = await stateOf(nats, bucket);
    madeAt = start.madeAt;
    filling = new Map();
    seenSeq = 0;
    iterator = await kv.watch();
    if (stopping.signal.aborted) iterator.stop();
    if (start.lastSeq === 0) agree(0);
    for await (const entry of iterator) {
      if (stopping.signal.aborted) return;
      apply(entry);
      seenSeq = Math.max(seenSeq, entry.revision);
      // By what is pending, not by the last revision alone: the entry that bore it may have been purged.
      if (seenSeq >= start.lastSeq || entry.delta === 0 || entry.isUpdate) agree(start.lastSeq);
    }
  };
  const followForEver = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await follow();
      } catch (err) {
        const text = err instanceof Error ? err.message : String(err);
        if (!stopping.signal.aborted) nats.log.warn({ bucket }, `the watch is not to be had, trying again: ${text}`);
      }
      await sleep(WATCH_RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  /** @returns whether memory and bucket agree as far as this probe can tell; undefined when it cannot tell */
  const probe = async (): Promise<boolean | undefined> => {
    if (!nats.connected()) return undefined;
    if (filling) return false;
    const askedAtMs = performance.now();
    const state = await stateOf(nats, bucket).catch(() => undefined);
    if (state === undefined) return undefined;
    if (state.lastSeq !== seenSeq || state.madeAt !== madeAt) return false;
    agreedAtMs = askedAtMs;
    return true;
  };
  const probeForEver = async (): Promise<void> => {
    let behind = 0;
    while (!stopping.signal.aborted) {
      await sleep(WATCH_PROBE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      const agrees = await probe();
      if (agrees === undefined) continue;
      behind = agrees ? 0 : behind + 1;
      // Reading a whole bucket may take a while; being behind with it in hand may not.
      if (behind < (filling ? WATCH_FILL_PROBES_MAX : WATCH_BEHIND_PROBES_MAX)) continue;
      behind = 0;
      iterator?.stop();
    }
  };
  const offReconnect = nats.onReconnect(() => iterator?.stop());
  const running = Promise.all([followForEver(), probeForEver()]);

  return {
    get: (key) => entries.get(key),
    entries: () => entries,
    ready,
    isReady: () => isReady,
    staleMs: () => performance.now() - agreedAtMs,
    async refresh(key) {
      const kv = await new Kvm(nats.js).open(bucket);
      const entry = await kv.get(key);
      if (entry) apply(entry);
    },
    onChange: (run) => void listeners.push(run),
    async stop() {
      offReconnect();
      stopping.abort();
      iterator?.stop();
      await running;
    },
  };
}

interface BucketState {
  /** Revision of the last entry; 0 while it is empty. */
  lastSeq: number;
  /** When the bucket was made: another time is another bucket, whatever its revisions. */
  madeAt: string;
}

async function stateOf(nats: Nats, bucket: string): Promise<BucketState> {
  const info = nats.jsm.streams.info(`KV_${bucket}`);
  const timeout = sleep(WATCH_PROBE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error('no answer about the bucket in time');
  });
  const { state, created } = await Promise.race([info, timeout]);
  return { lastSeq: state.messages === 0 ? 0 : state.last_seq, madeAt: created };
}
