import type { Chance } from '@cord/kit/testing/simulation/random';
import type { Scheduler } from '@cord/kit/testing/simulation/scheduler';
import type { Account, Entry } from '../../../services/mining/ledger/account.js';
import { ModelBackend } from '../../../services/mining/test/simulation/model-backend.js';
import { Oracle } from '../../../services/mining/test/simulation/oracle.js';
import { Unsettled } from './failover.js';
import type { ProcessId } from './process-id.js';

type Backend = Pick<
  ModelBackend,
  | 'compareAndSet'
  | 'insert'
  | 'putEntries'
  | 'putDays'
  | 'putSessions'
  | 'removeSessions'
  | 'clearOutbox'
  | 'pullOutbox'
>;

/** The ledger's store in the simulation of all services; reads of an account see the majority's state. */
export class ModelLedger extends ModelBackend {
  private unsettled: Unsettled<string> | undefined;
  private readonly before = new Map<string, { account: Account | null; keys: ReadonlySet<string> }>();
  private isMajorityRead = true;

  /** @param isMajorityRead whether the services read by majority (kit/store.ts) */
  failOverBy(chance: Chance, now: () => number, isMajorityRead: boolean): void {
    this.unsettled = new Unsettled(chance, now);
    this.isMajorityRead = isMajorityRead;
  }

  settleAll(): void {
    this.unsettled?.settleAll();
  }

  readAs(userId: string): Account | null {
    const hidden = this.hidden(userId);
    return hidden ? hidden.account : this.read(userId);
  }

  findEntryAs(userId: string, key: string): Entry | null {
    const hidden = this.hidden(userId);
    return hidden && !hidden.keys.has(key) ? null : this.findEntry(userId, key);
  }

  /** Runs one write of a process on a user's account. */
  write<R>(
    scheduler: Scheduler<ProcessId>,
    process: ProcessId,
    userId: string,
    run: (backend: Backend) => R,
  ): Promise<R> {
    let undo = () => {};
    const made = () => {
      this.unsettled?.settle(userId);
      undo = this.undoOf(userId);
      return run(this);
    };
    return scheduler.operation(process, made, true, () => this.unsettled?.add(userId, undo));
  }

  private hidden(userId: string) {
    return this.isMajorityRead && this.unsettled?.has(userId) ? this.before.get(userId) : undefined;
  }

  /** Returns a function that restores the account to its current state. */
  private undoOf(userId: string): () => void {
    const doc = this.docs.get(userId);
    const kept = doc && { ...doc };
    const reckoned = this.oracles.get(userId);
    const oracle = reckoned && Object.assign(new Oracle(), structuredClone(reckoned));
    const own = [...(this.perUser.get(userId) ?? [])];
    const keys = new Set(own.map(({ key }) => key));
    const days = new Set(this.days.keys());
    const sessions = new Set(this.sessions.keys());
    const takeLeafBack = this.leaves.undoOf(userId);
    this.before.set(userId, { account: doc?.account ?? null, keys });
    return () => {
      takeLeafBack();
      if (kept) this.docs.set(userId, kept);
      else this.docs.delete(userId);
      if (oracle) this.oracles.set(userId, oracle);
      for (const { key } of this.perUser.get(userId) ?? []) if (!keys.has(key)) this.entries.delete(key);
      this.perUser.set(userId, own);
      for (const id of this.days.keys()) if (id.startsWith(`${userId}:`) && !days.has(id)) this.days.delete(id);
      for (const [id, { userId: of }] of this.sessions)
        if (of === userId && !sessions.has(id)) this.sessions.delete(id);
    };
  }
}
