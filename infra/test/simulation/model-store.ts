import {
  type Doc,
  type Documents,
  MemoryCollection,
  memoryConnection,
} from '@cord/kit/testing/simulation/memory-collection';
import type { Chance } from '@cord/kit/testing/simulation/random';
import { LostAnswer, type Scheduler } from '@cord/kit/testing/simulation/scheduler';
import type { Connection } from 'mongoose';
import { Unsettled } from './failover.js';
import type { ProcessId } from './process-id.js';

/** The document stores of all services in memory, with writes that a failover may roll back. */
export class ModelStore {
  private readonly databases = new Map<string, Map<string, Documents>>();
  /** By collection. */
  private readonly unsettled: Unsettled<Documents>;
  private readonly before = new Map<Documents, ReadonlyMap<string, Doc | null>>();

  /** @param isMajorityRead whether reads (kit/store.ts) hide writes that a failover may roll back */
  constructor(
    private readonly scheduler: Scheduler<ProcessId>,
    chance: Chance,
    now: () => number,
    private readonly isMajorityRead: boolean,
  ) {
    this.unsettled = new Unsettled(chance, now);
  }

  settleAll(): void {
    this.unsettled.settleAll();
  }

  /** Returns the documents that a read sees. */
  seen(documents: Documents): Doc[] {
    const before = this.isMajorityRead && this.unsettled.has(documents) ? this.before.get(documents) : undefined;
    if (!before) return [...documents.values()];
    const others = [...documents.values()].filter(({ _id }) => !before.has(_id));
    return [...others, ...[...before.values()].filter((doc) => doc !== null)];
  }

  /** Runs one write of a process. @param run makes it, and notes the prior state of each document that it changes */
  write<T>(
    process: ProcessId,
    documents: Documents,
    run: (note: (id: string) => void) => T,
    inTime: () => boolean,
  ): Promise<T> {
    const before = new Map<string, Doc | null>();
    const undo = () => {
      for (const [id, doc] of before)
        if (doc) documents.set(id, doc);
        else documents.delete(id);
    };
    const made = () => {
      if (!inTime()) throw new LostAnswer('not done in time');
      this.unsettled.settle(documents);
      return run((id) => before.set(id, before.get(id) ?? documents.get(id) ?? null));
    };
    return this.scheduler.operation(process, made, true, () => {
      this.before.set(documents, before);
      this.unsettled.add(documents, undo);
    });
  }

  /** Returns all current documents of a collection. */
  documents(database: string, name: string): Documents {
    const collections = this.databases.get(database) ?? new Map<string, Documents>();
    this.databases.set(database, collections);
    const documents = collections.get(name) ?? new Map<string, Doc>();
    collections.set(name, documents);
    return documents;
  }

  /** Creates the database connection of a process. */
  connectionOf(process: ProcessId): Connection {
    return memoryConnection((name) => this.collectionOf(process, name));
  }

  /** @param inTime evaluated at the write; a late write is dropped */
  collectionOf(process: ProcessId, name: string, inTime: () => () => boolean = () => () => true): MemoryCollection {
    const documents = this.documents(process.service, name);
    return new MemoryCollection(documents, {
      reads: (run) => this.scheduler.operation(process, () => run(this.seen(documents))),
      writes: (run) => this.write(process, documents, run, inTime()),
    });
  }
}
