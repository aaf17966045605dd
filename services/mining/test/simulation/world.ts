import { FIRST_BOOK, type RuleBook } from '@cord/contracts/rules/rule-book';
import type { StateOf } from '@cord/kit/nats/states';
import { type Chance, chanceOf } from '@cord/kit/testing/simulation/random';
import { Scheduler } from '@cord/kit/testing/simulation/scheduler';
import type { Account } from '../../ledger/account.js';
import { AccountCache } from '../../ledger/account-cache.js';
import { type EpochTable, epochTable } from '../../ledger/epochs.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { LedgerBus, LedgerStore } from '../../ledger/ports.js';
import { KeptContacts } from './kept-contacts.js';
import { ModelBackend } from './model-backend.js';
import type { Modules } from './modules.js';
import type { WorldBounds } from './world-bounds.js';

export const REPLICAS = 3;
const DAY_MS = 86_400_000;
/** Lead of each replica's clock over that of the one before, ms. */
const SKEW_MS = 45_000;
/** Returns the lead of a replica's clock over the world's, ms. */
export const aheadMs = (replica: number) => replica * SKEW_MS;
/** A Sunday evening at the end of a month, so that days, ISO weeks and months all turn. */
const START_MS = Date.UTC(2026, 4, 31, 21, 30);

/** A balance.changed in flight, with the whole account. */
interface Announced extends StateOf {
  readonly account: Account;
}

class ReplicaDied extends Error {}

/** A replica from its start to its end. */
export interface Life {
  readonly id: number;
}

interface Replica {
  life: Life;
  ledger: Ledger;
  /** Rejects when the replica dies. */
  died: Promise<never>;
  kill: () => void;
}

/** A replica's cache; items that it marks as relayed are checked against the store. */
class WatchedCache extends AccountCache {
  constructor(
    max: number,
    private readonly world: World,
  ) {
    super(max);
  }

  override relayed(userId: string, seq: bigint): void {
    try {
      this.world.backend.checkRelayed(userId, seq);
    } catch (error) {
      this.world.violation ??= error;
    }
    super.relayed(userId, seq);
  }
}

/** Changes the mining rate in the middle of an hour. */
const SECOND_BOOK: RuleBook = {
  ...FIRST_BOOK,
  version: 2,
  fromMs: START_MS + 5 * 3_600_000 + 1_234_567,
  baseNano: 700_000_000,
  badgeHundredths: 120,
};

/** Several replicas of the ledger over one store and one bus, a clock, and the seed that determines everything. */
export class World {
  readonly chance: Chance;
  readonly backend: ModelBackend;
  readonly scheduler: Scheduler<Life>;
  nowMs = START_MS;
  violation: unknown = null;
  epochs: EpochTable = epochTable(
    1n,
    [
      { id: 'alpha', name: 'alpha', multiplierHundredths: 100, startAt: 0, endAt: START_MS + 3 * 3_600_000 },
      {
        id: 'two',
        name: 'two',
        multiplierHundredths: 110,
        startAt: START_MS + 3 * 3_600_000,
        endAt: START_MS + DAY_MS,
      },
    ],
    [FIRST_BOOK, SECOND_BOOK],
  );
  /** Users with a failed relay, or with a publish by a process that died: its last message may remain after an erasure. */
  readonly unsure = new Set<string>();
  private readonly publishedBy = new Map<number, Set<string>>();
  private readonly replicas: Replica[] = [];
  /** The owners of users, and the unwritten contacts. */
  readonly contacts = new KeptContacts(this);
  /** Errors of replicas' clocks that were set wrong, ms. */
  readonly clocksOffMs = new Map<number, number>();

  constructor(
    readonly modules: Modules,
    seed: number,
    readonly bounds: WorldBounds,
  ) {
    this.chance = chanceOf(seed);
    this.backend = new ModelBackend(modules, () => this.epochs, bounds, {
      startMs: START_MS,
      nowMs: () => this.nowMs,
      skewMs: (REPLICAS - 1) * SKEW_MS,
    });
    this.scheduler = new Scheduler(
      this.chance,
      ({ id }) => this.crash(id),
      (error) => {
        this.violation ??= error;
      },
    );
    for (let id = 0; id < REPLICAS; id += 1) this.replicas.push(this.startReplica(id));
  }

  /** An operation of a replica; it may still happen after its death. */
  operation<T>(life: Life, run: () => T): Promise<T> {
    return this.scheduler.operation(life, run, true);
  }

  /** Calls any living replica, like a caller that does not see replicas. Rejects when it dies meanwhile. */
  call<R>(use: (ledger: Ledger) => Promise<R>): Promise<R> {
    return this.callOn(this.anyReplica(), use);
  }

  readonly anyReplica = (): number => this.chance.int(REPLICAS);

  /** Calls this replica, or its current successor. Rejects when it dies meanwhile. */
  callOn<R>(id: number, use: (ledger: Ledger) => Promise<R>): Promise<R> {
    const { ledger, died } = this.replica(id);
    return Promise.race([use(ledger), died]);
  }

  /** Lets a replica wait for its next operation. Rejects when it dies meanwhile. */
  pause(id: number): Promise<void> {
    const { life, died } = this.replica(id);
    return Promise.race([this.operation(life, () => {}), died]);
  }

  /** Runs one batch of the sweeper in any replica. */
  sweep(): Promise<void> {
    const { life, ledger, died } = this.replica(this.anyReplica());
    const swept = async () => {
      const dirty = await this.operation(life, () =>
        this.backend.findDirty(this.nowMs - this.bounds.sweepOlderThanMs, this.bounds.sweepBatch),
      );
      for (const userId of dirty) await ledger.relay(userId).catch(() => this.unsure.add(userId));
    };
    return Promise.race([swept(), died]);
  }

  /** Waits for the relays in progress. */
  async flush(): Promise<void> {
    await Promise.all(this.replicas.map(({ ledger }) => ledger.flush()));
  }

  private replica(id: number): Replica {
    const replica = this.replicas[id];
    if (!replica) throw new RangeError(`no replica ${id}`);
    return replica;
  }

  private crash(id: number): void {
    for (const userId of this.publishedBy.get(id) ?? []) this.unsure.add(userId);
    this.publishedBy.delete(id);
    const dead = this.replica(id);
    this.scheduler.drop(dead.life);
    this.contacts.lost(id);
    this.replicas[id] = this.startReplica(id);
    dead.kill();
  }

  /** Publishes one user's event or state from a replica. */
  private async sent(id: number, userId: string, publish: Promise<unknown>): Promise<void> {
    this.publishedBy.set(id, (this.publishedBy.get(id) ?? new Set()).add(userId));
    await publish;
  }

  private startReplica(id: number): Replica {
    const life = { id };
    let kill = () => {};
    const died = new Promise<never>((_, reject) => {
      kill = () => reject(new ReplicaDied());
    });
    died.catch(() => {});
    const clock = () => this.nowMs + aheadMs(id) + (this.clocksOffMs.get(id) ?? 0);
    const ledger = this.modules.createLedger({
      store: this.storeOf(life),
      bus: this.busOf(life),
      note: (userId) => this.operation(life, () => this.backend.note(userId)),
      nowMs: clock,
      // As the kit compares a clock with the store's.
      confirmTime: async () => !this.clocksOffMs.has(id),
      epochs: () => this.epochs,
      cache: new WatchedCache(this.bounds.cached, this),
      bounds: this.bounds,
      owns: (userId) => this.contacts.ownerOf(userId) === id,
      onOvertaken: (after) => this.contacts.overtake(life, after),
      onRelayFailure: (userId) => void this.unsure.add(userId),
    });
    return { life, ledger, died, kill };
  }

  private storeOf(life: Life): LedgerStore {
    const { backend } = this;
    const done = <T>(run: () => T) => this.operation(life, run);
    return {
      read: (userId) => done(() => backend.read(userId)),
      insert: (account) => done(() => backend.insert(account)),
      compareAndSet: async (before, next, nowMs, announcedSeq) => {
        const kept = this.contacts.get(life.id, before);
        const set = () => backend.compareAndSet(before, next, nowMs, announcedSeq, kept);
        const written = await done(set);
        if (written) this.contacts.written(life.id, next.userId);
        return written;
      },
      findEntry: (userId, key) => done(() => backend.findEntry(userId, key)),
      async putEntries(entries) {
        // The real store does single, concurrent inserts: some may be done and others not.
        const puts = entries.map((entry) => done(() => backend.putEntries([entry])));
        await Promise.allSettled(puts);
        await Promise.all(puts);
      },
      putDays: (days) => done(() => backend.putDays(days)),
      putSessions: (sessions) => done(() => backend.putSessions(sessions)),
      removeSessions: (userId) => done(() => backend.removeSessions(userId)),
      clearOutbox: (userId, seq, relayed) => done(() => backend.clearOutbox(userId, seq, relayed)),
      async pullOutbox(userId, { items, announcedSeq }) {
        if (items.length > 0) await done(() => backend.pullOutbox(userId, { items, announcedSeq: null }));
        if (announcedSeq !== null) await done(() => backend.pullOutbox(userId, { items: [], announcedSeq }));
      },
    };
  }

  private busOf(life: Life): LedgerBus {
    const { backend } = this;
    const done = <T>(run: () => T) => this.operation(life, run);
    const { announceTries: tries, places } = this.bounds;
    const publish = this.modules.createStatePublisher<Announced>(
      {
        last: ({ subject }) => done(() => backend.lastBalance(subject)),
        put: ({ account }, afterPlace) => done(() => backend.putBalance(account, afterPlace)),
      },
      { tries, places },
    );
    return {
      publishBalance: (account) =>
        this.sent(life.id, account.userId, publish({ subject: account.userId, seq: account.seq, account })),
      publishNode: (item) =>
        this.sent(
          life.id,
          item.session.userId,
          done(() => backend.publishNode(item)),
        ),
      withdraw: (userId) => done(() => backend.withdraw(userId)),
    };
  }
}
