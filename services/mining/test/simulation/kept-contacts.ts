import { LEASE_MS } from '@cord/contracts/rules/timings';
import { Violation } from '@cord/kit/testing/simulation/run';
import type { Account } from '../../ledger/account.js';
import { giveUp } from './actors.js';
import { type Life, REPLICAS, type World } from './world.js';

/** A contact that was acknowledged without a write. */
export interface KeptContact {
  readonly sessionId: string | null;
  readonly atMs: number;
}

/**
 * Tracks the owners of users and the unwritten contacts. Each response is checked against the states that its replica
 * could have, and each write of that replica against the lease that the contact renewed.
 */
export class KeptContacts {
  private readonly owners = new Map<string, number>();
  private readonly kept = new Map<string, KeptContact>();
  /** The newest state of another replica for which a replica was made to drop its cache. */
  private readonly overtaken = new Map<string, bigint>();

  constructor(private readonly world: World) {}

  ownerOf(userId: string): number {
    return this.owners.get(userId) ?? Number(userId.slice(-1)) % REPLICAS;
  }

  /** Assigns a user to a replica, which clears its cache. */
  async give(userId: string, replica: number): Promise<void> {
    this.owners.set(userId, replica);
    await this.world.callOn(replica, async (ledger) => ledger.forgetAll()).catch(giveUp);
    this.overtaken.set(nameOf(replica, userId), this.world.backend.read(userId)?.seq ?? 0n);
  }

  /** The invalidation message of a replica that has written an account of another replica's user; it arrives later, or never. */
  overtake(by: Life, after: Account): void {
    const arrives = async (): Promise<void> => {
      const owner = this.ownerOf(after.userId);
      await this.world.operation(by, () => {
        this.overtaken.set(nameOf(owner, after.userId), after.seq);
      });
      await this.world.callOn(owner, async (ledger) => ledger.forget(after.userId));
    };
    arrives().catch(giveUp);
  }

  /** Makes a contact with a replica. @throws Violation when an unwritten response is based on a state that the replica could know to be old */
  async make(replica: number, userId: string): Promise<void> {
    const { backend, modules } = this.world;
    const owns = this.ownerOf(userId) === replica;
    const name = nameOf(replica, userId);
    const leastSeq = (owns ? this.overtaken.get(name) : backend.read(userId)?.seq) ?? 0n;
    const change = await this.world.callOn(replica, (ledger) =>
      ledger.change(userId, modules.node.contactStep, { contact: true }),
    );
    const { before, after, moment } = change;
    if (after === before || after.seq !== before.seq) return;
    if (after.seq < leastSeq) throw new Violation(`responded from state ${after.seq}, but ${leastSeq} was known`);
    if (after.node.status !== 'active') throw new Violation(`${after.node.status}, but not written`);
    backend.checkAnswer(after, moment.nowMs);
    this.kept.set(name, { sessionId: after.node.sessionId, atMs: moment.nowMs });
  }

  /** Returns the unwritten contact of this session at a replica. */
  get(replica: number, { userId, node }: Account): KeptContact | null {
    const contact = this.kept.get(nameOf(replica, userId));
    return contact?.sessionId === node.sessionId ? contact : null;
  }

  written(replica: number, userId: string): void {
    this.kept.delete(nameOf(replica, userId));
  }

  /** Drops the state of a replica that has died. */
  lost(replica: number): void {
    for (const names of [this.kept, this.overtaken]) {
      for (const name of names.keys()) if (name.startsWith(`${replica}:`)) names.delete(name);
    }
  }

  /** Lets every replica write its contacts, then checks that no lease of a running session is missing. */
  async writeAll(): Promise<void> {
    for (let replica = 0; replica < REPLICAS; replica += 1) {
      await this.world.callOn(replica, (ledger) => ledger.writeContacts('all'));
    }
    for (const [name, { sessionId, atMs }] of this.kept) {
      const node = this.world.backend.read(name.slice(name.indexOf(':') + 1))?.node;
      const isLost = node?.status === 'active' && node.sessionId === sessionId && node.leaseUntilMs < atMs + LEASE_MS;
      if (isLost) throw new Violation(`a contact of ${name.slice(-2)} was never written`);
    }
  }
}

const nameOf = (replica: number, userId: string) => `${replica}:${userId}`;
