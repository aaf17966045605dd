import type { Nats } from '@cord/kit/nats';
import { mongo } from 'mongoose';
import { runningStoreUri } from '../../dev/starter/store-address.ts';
import { connectAsSetup } from '../../dev/starter/streams.ts';
import { cpuMicros, residentBytes, writtenBytes } from '../../test/kit/proc.ts';
import type { System } from '../../test/kit/system.ts';

/** Processes that write to the disk. */
const WRITERS = ['store', 'nats'];

/** Values by process. */
type Figures = Record<string, number>;

/** Resources used so far, or per second. */
export interface Taken {
  /** CPU time, microseconds. */
  cpu: Figures;
  /** Bytes written by the store and NATS. */
  written: Figures;
  /** Ledger entries. */
  entries: number;
  events: number;
}

/** Resources used at a moment, ms of performance.now. */
export type Reading = Taken & { atMs: number };

/** Reads the resources used by the processes of a running system, and the data they created. */
export class Meter {
  readonly client: mongo.MongoClient;
  readonly nats: Nats;
  readonly #pids: Figures;

  static async open(system: System): Promise<Meter> {
    const { services } = await system.running();
    const pids = Object.fromEntries(
      Object.entries(services).flatMap(([name, [first]]) => (first ? [[name, first.pid]] : [])),
    );
    const client = new mongo.MongoClient(await runningStoreUri(system.dataDir), { useBigInt64: true });
    return new Meter(pids, client, await connectAsSetup(system.dataDir));
  }

  private constructor(pids: Figures, client: mongo.MongoClient, nats: Nats) {
    this.#pids = pids;
    this.client = client;
    this.nats = nats;
  }

  async read(): Promise<Reading> {
    const cpu = Object.fromEntries(Object.entries(this.#pids).map(([name, pid]) => [name, cpuMicros(pid)]));
    const written = Object.fromEntries(WRITERS.map((name) => [name, writtenBytes(this.#pids[name] ?? 0)]));
    const entries = await this.client.db('cord_mining').collection('entries').countDocuments({});
    return { atMs: performance.now(), cpu, written, entries, events: await this.#events() };
  }

  /** Current memory of each process, bytes. */
  memory(): Figures {
    return Object.fromEntries(Object.entries(this.#pids).map(([name, pid]) => [name, residentBytes(pid)]));
  }

  /** Messages that durable consumers have not acknowledged yet. */
  async behind(): Promise<number> {
    let count = 0;
    for await (const { config } of this.nats.jsm.streams.list())
      for await (const { num_pending, num_ack_pending } of this.nats.jsm.consumers.list(config.name))
        count += num_pending + num_ack_pending;
    return count;
  }

  async #events() {
    let count = 0;
    for await (const { state } of this.nats.jsm.streams.list()) count += state.last_seq;
    return count;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.nats.drain();
  }
}

/** Returns the use between two readings, per second. */
export function rateOf(first: Reading, last: Reading): Taken {
  const seconds = (last.atMs - first.atMs) / 1_000;
  const each = (one: Figures, other: Figures) =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => [name, ((other[name] ?? Number.NaN) - value) / seconds]),
    );
  return {
    cpu: each(first.cpu, last.cpu),
    written: each(first.written, last.written),
    entries: (last.entries - first.entries) / seconds,
    events: (last.events - first.events) / seconds,
  };
}
