import { mongo } from 'mongoose';
import { runningStoreUri } from '../../dev/starter/store-address.ts';
import { connectAsSetup } from '../../dev/starter/streams.ts';
import { cpuMicros, residentBytes, writtenBytes } from '../../test/kit/proc.ts';

/** Who writes to the disk. */
const WRITERS = ['store', 'nats'];

/** Reads what the processes of a running system have taken so far, and what they have left behind. */
export class Meter {
  static async open(system) {
    const { services } = await system.running();
    const pids = Object.fromEntries(Object.entries(services).map(([name, [{ pid }]]) => [name, pid]));
    const client = new mongo.MongoClient(await runningStoreUri(system.dataDir), { useBigInt64: true });
    return new Meter(pids, client, await connectAsSetup(system.dataDir));
  }

  constructor(pids, client, nats) {
    this.pids = pids;
    this.client = client;
    this.nats = nats;
  }

  /** @returns CPU time by process, microseconds; bytes written by the store and NATS; events and ledger entries so far */
  async read() {
    const cpu = Object.fromEntries(Object.entries(this.pids).map(([name, pid]) => [name, cpuMicros(pid)]));
    const written = {};
    for (const name of WRITERS) written[name] = await writtenBytes(this.pids[name]);
    const entries = await this.client.db('cord_mining').collection('entries').countDocuments({});
    return { atMs: performance.now(), cpu, written, entries, events: await this.#events() };
  }

  /** Memory of each process at this moment, bytes. */
  memory() {
    return Object.fromEntries(Object.entries(this.pids).map(([name, pid]) => [name, residentBytes(pid)]));
  }

  /** Messages that durable consumers have not handled yet. */
  async behind() {
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

  async close() {
    await this.client.close();
    await this.nats.drain();
  }
}

/** What happened between two readings, by the second. */
export function rateOf(first, last) {
  const seconds = (last.atMs - first.atMs) / 1_000;
  const each = (one, other) =>
    Object.fromEntries(Object.keys(one).map((name) => [name, (other[name] - one[name]) / seconds]));
  return {
    cpu: each(first.cpu, last.cpu),
    written: each(first.written, last.written),
    entries: (last.entries - first.entries) / seconds,
    events: (last.events - first.events) / seconds,
  };
}
