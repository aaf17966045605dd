import { RANKED_SOURCES } from '@cord/contracts/events/balance';
import type { Document, mongo } from 'mongoose';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';
import { sealedBy } from './sealed.js';

type Any = Record<string, unknown> & { _id: string };

/** Writes directly into the store, and can undo everything. */
export class Damaging {
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor(readonly databaseOf: (service: string) => mongo.Db) {}

  collection(service: string, name: string): mongo.Collection<Any & Document> {
    return this.databaseOf(service).collection(name);
  }

  /** Returns the first matching document. @throws Error without one: the life lacks what the damage needs */
  async one<D = Any>(service: string, name: string, filter: object): Promise<D & Any> {
    const found = await this.collection(service, name).findOne(filter as never);
    if (!found) throw new Error(`no document of ${service}.${name} matches ${JSON.stringify(filter)}`);
    return found as never;
  }

  async change(service: string, name: string, filter: object, update: object): Promise<void> {
    const before = await this.one(service, name, filter);
    const { _id, ...fields } = before;
    await this.collection(service, name).updateOne({ _id } as never, update as never);
    this.#undo.push(() => this.collection(service, name).replaceOne({ _id } as never, fields as never));
  }

  /** Changes the first matching document of this user in a collection, e.g. `mining.entries`. */
  own(place: string, { userId }: { userId: string }, update: object, fitting: object = {}): Promise<void> {
    const [service = '', name = ''] = place.split('.');
    return this.change(service, name, { $or: [{ _id: userId }, { userId }], ...fitting }, update);
  }

  async remove(service: string, name: string, filter: object): Promise<void> {
    const before = await this.one(service, name, filter);
    await this.collection(service, name).deleteOne({ _id: before._id } as never);
    this.#undo.push(() => this.collection(service, name).insertOne(before as never));
  }

  async insert(service: string, name: string, document: Any): Promise<void> {
    await this.collection(service, name).insertOne(document as never);
    this.#undo.push(() => this.collection(service, name).deleteOne({ _id: document._id } as never));
  }

  account(userId: string): Promise<AccountDoc & Any> {
    return this.one<AccountDoc>('mining', 'accounts', { _id: userId });
  }

  /** Raises fields of an account. */
  raise(userId: string, fields: readonly string[], micro = 1_000_000n): Promise<void> {
    return this.own('mining.accounts', { userId }, { $inc: Object.fromEntries(fields.map((field) => [field, micro])) });
  }

  /** Adds a credit as the ledger would write it: entry and all sums agree. */
  async credit(userId: string, key: string, amountMicro: bigint, atMs?: number): Promise<void> {
    const { seq, balanceMicro, open, openCommission, totals, chain } = await this.account(userId);
    const source = key.split(':')[0] as EntryDoc['source'];
    const openMicro = open.amountMicro + (openCommission?.amountMicro ?? 0n);
    const sealed = sealedBy(chain, {
      _id: key,
      userId,
      seq: seq + 1n,
      source,
      amountMicro,
      balanceMicro: balanceMicro - openMicro + amountMicro,
      atMs: atMs ?? totals.allReachedAtMs,
      reason: 'Made up',
    });
    await this.insert('mining', 'entries', sealed.entry as never);
    const periods = RANKED_SOURCES.includes(source)
      ? ['totals.day.micro', 'totals.week.micro', 'totals.month.micro']
      : [];
    const mined =
      source === 'mining' ? ['totals.day.miningMicro', 'totals.week.miningMicro', 'totals.month.miningMicro'] : [];
    const sums = ['balanceMicro', 'totals.allMicro', `totals.bySource.${source}`, `totals.day.bySource.${source}`];
    const $inc = Object.fromEntries([...sums, ...periods, ...mined].map((field) => [field, amountMicro]));
    await this.own('mining.accounts', { userId }, { $inc: { ...$inc, seq: 2n }, $set: { chain: sealed.chain } });
  }

  /** Undoes everything, the last change first. */
  async undo(): Promise<void> {
    for (const step of this.#undo.splice(0).reverse()) await step();
  }
}
