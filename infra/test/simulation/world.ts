import { kindName } from '@cord/contracts/events/envelope';
import { rightsRpc } from '@cord/contracts/rpc/rights';
import { SWITCHES_KEY, type SwitchSpan } from '@cord/contracts/switches';
import { type Chance, chanceOf } from '@cord/kit/testing/simulation/random';
import { LostAnswer, Scheduler } from '@cord/kit/testing/simulation/scheduler';
import type { EpochTable } from '../../../services/mining/ledger/epochs.js';
import type { EpochsDoc } from '../../../services/mining/store/collections.js';
import { USUAL_BOUNDS } from '../../../services/mining/test/simulation/world-bounds.js';
import type { CatalogueTask } from '../../../services/tasks/domain/task.js';
import { SET_MS_MAX, type Wired } from './kit-of.js';
import { wireLedger } from './ledger-process.js';
import { ModelBus } from './model-bus.js';
import { ModelLedger } from './model-ledger.js';
import { ModelStore } from './model-store.js';
import type { Modules } from './modules.js';
import { AUTH, type ProcessId } from './process-id.js';
import { wireReferrals, wireRewards, wireTasks } from './processes.js';

const REPLICAS = 2;
/** Clock difference between consecutive replicas, ms. */
const SKEW_MS = 900;
/** Maximum time without a message of auth, ms; then a process reads the switches before any other work. */
const CONTACT_MS_MAX = 5_000;
/** A Thursday evening. */
const START_MS = Date.UTC(2026, 10, 19, 20);

const WIRINGS = { mining: wireLedger, tasks: wireTasks, rewards: wireRewards, referrals: wireReferrals };
export type ServiceName = keyof typeof WIRINGS;
export const SERVICES = Object.keys(WIRINGS) as ServiceName[];
type Parts<S extends ServiceName> = ReturnType<(typeof WIRINGS)[S]>;

export class ProcessDied extends Error {}

/** A person, as auth knows them. */
export interface Person {
  readonly id: string;
  readonly createdAtMs: number;
  erased: boolean;
  /** Number of assessments by the network check. */
  assessed: number;
}

interface Running {
  readonly id: ProcessId;
  readonly parts: Wired;
  /** Rejects when the process dies. */
  readonly died: Promise<never>;
  readonly kill: () => void;
}

/** Two processes of each of four services with one store, one bus, one clock, and the seed that decides everything. */
export class World {
  readonly chance: Chance;
  /** Whether operators change the rules during the run. */
  readonly hasRuleChange: boolean;
  readonly scheduler: Scheduler<ProcessId>;
  readonly store: ModelStore;
  readonly bus: ModelBus;
  readonly backend: ModelLedger;
  readonly people: Person[] = [];
  /** When claims were off, as published by auth; the last span may be open. */
  spans: SwitchSpan[] = [];
  /** When check-ins failed through a fault of ours, as tasks knows it. */
  outages: { fromMs: number; toMs: number }[] = [];
  catalogue: CatalogueTask[];
  /** Whether commission is switched off. */
  isCommissionOff = false;
  /** Since when auth is unavailable, and the spans it had announced; null while it is available. */
  authAway: { readonly atMs: number; readonly spans: readonly SwitchSpan[] } | null = null;
  /** Number of requests in progress, by subject. */
  readonly underWay = new Map<string, number>();
  /** Offsets of clocks that were set wrong, ms. */
  private readonly clocksOffMs = new Map<ProcessId, number>();
  /** Time of the last message of auth to a process, ms. */
  private readonly contactMs = new Map<ProcessId, number>();
  nowMs = START_MS;
  violation: unknown = null;
  private readonly running = new Map<string, Running>();
  private readonly kinds = new Map<string, Set<string>>();
  private lives = 0;

  constructor(
    readonly modules: Modules,
    seed: number,
  ) {
    this.chance = chanceOf(seed);
    this.hasRuleChange = seed % 5 === 3;
    this.scheduler = new Scheduler(
      this.chance,
      (process) => this.crash(process),
      (error) => {
        this.violation ??= error;
      },
      (process) => process !== AUTH,
    );
    const isMajorityRead = modules.storeOptions.OPTIONS.readConcern.level === 'majority';
    this.store = new ModelStore(this.scheduler, this.chance, () => this.nowMs, isMajorityRead);
    this.bus = new ModelBus(this.chance, () => this.kinds);
    this.catalogue = modules.seed.SEED_TASKS.map((task) => ({ ...task }));
    const { accountWrite } = modules.accountWrite;
    const { presentLeaf } = modules.leaves;
    this.backend = new ModelLedger({ accountWrite, presentLeaf }, () => this.epochs(), USUAL_BOUNDS, {
      startMs: START_MS,
      nowMs: () => this.nowMs,
      skewMs: (REPLICAS - 1) * SKEW_MS + SET_MS_MAX,
    });
    this.backend.failOverBy(this.chance, () => this.nowMs, isMajorityRead);
    for (const service of SERVICES)
      for (let replica = 0; replica < REPLICAS; replica += 1) this.start(service, replica);
  }

  /** Returns the time of a process's clock. */
  nowOf(process: ProcessId): number {
    return this.nowMs + process.replica * SKEW_MS + (this.clocksOffMs.get(process) ?? 0);
  }

  /** The ledger's stored epoch table; every settlement uses it. */
  epochs(): EpochTable {
    const [stored] = this.store.seen(this.store.documents('mining', 'epochs'));
    const { version, epochs, books } = (stored ?? { version: 0n, epochs: [] }) as unknown as EpochsDoc;
    return this.modules.epochs.epochTable(version, epochs, books);
  }

  /**
   * Sets the clock of one process ahead, or right again. During a call by at most SET_MS_MAX, since the call's work is
   * dated by it; the ledger's clock by any amount.
   * @returns the process
   */
  setClock(service: ServiceName, byMs: number): ProcessId {
    const { id } = this.any(service);
    const isFree = service === 'mining' || this.scheduler.isIdle(id);
    this.clocksOffMs.set(id, isFree ? byMs : Math.min(byMs, SET_MS_MAX));
    return id;
  }

  /** Sets a clock right again. */
  clockIsRight(id: ProcessId): void {
    this.clocksOffMs.delete(id);
  }

  /** Decides all unsettled writes of the stores. */
  settle(): void {
    this.store.settleAll();
    this.backend.settleAll();
  }

  /** Uses a living process of a service, like a caller that ignores replicas. Rejects when it dies meanwhile. */
  async use<S extends ServiceName, R>(service: S, act: (parts: Parts<S>) => Promise<R>): Promise<R> {
    const { parts, died } = await this.serving(service);
    return Promise.race([act(parts as Parts<S>), died]);
  }

  /** Sends a request from one process to one or each process of another service. The request and the response may be lost. */
  async request(
    from: ProcessId,
    rpc: { subject: string; request: never; reply: never; toEach?: true },
    payload: unknown,
  ): Promise<unknown> {
    const { Problem } = this.modules.problem;
    const away = (error: unknown) => {
      throw error instanceof Problem ? error : new Problem(503, 'service-unavailable', 'no answer');
    };
    const shaped = (schema: { parse(value: unknown): unknown }, value: unknown) =>
      schema.parse(JSON.parse(JSON.stringify(value)));
    await this.scheduler.operation(from, () => undefined).catch(away);
    if (rpc.subject === rightsRpc.subject) {
      if (this.authAway) return away(new LostAnswer('auth is unavailable'));
      this.contactMs.set(from, this.nowMs);
      return this.rights();
    }
    const pattern = rpc.subject.replace(/\.[a-z]+$/, '.*');
    // A sent request arrives even when its sender dies.
    const arrive = async ({ parts, died }: Running) => {
      await Promise.race([parts.ready, died]).catch(away);
      this.modules.clockWatch.assertClockTrusted(parts.clock);
      const answer = parts.answers.get(rpc.subject) ?? parts.answers.get(pattern);
      if (!answer) throw new Error(`no responder on ${rpc.subject}`);
      return answer(shaped(rpc.request, payload), { subject: rpc.subject });
    };
    const made = (rpc.toEach ? this.processes('mining') : [this.any('mining')]).map((one) =>
      Promise.race([this.counted(rpc.subject, arrive(one)), one.died]),
    );
    const reply = await Promise.any(made).catch(({ errors: [error] }) => away(error));
    await this.scheduler.operation(from, () => undefined).catch(away);
    return shaped(rpc.reply, reply);
  }

  /** Returns a serving process. @throws Problem 503 while its clock is off, where that is checked */
  private async serving(service: ServiceName, trusted = true): Promise<Running> {
    const running = this.any(service);
    const { id, parts, died } = running;
    await Promise.race([parts.ready, died]);
    while (parts.switches && this.isBehind(id)) await Promise.race([parts.switches.refresh(), died]);
    if (trusted) this.modules.clockWatch.assertClockTrusted(parts.clock);
    return running;
  }

  /** Whether a process missed auth's messages, which come every second. */
  isBehind(process: ProcessId): boolean {
    return this.authAway === null && this.nowMs - (this.contactMs.get(process) ?? 0) > CONTACT_MS_MAX;
  }

  /**
   * Returns the switch spans known to a process. Real calls are short: when hours have passed in one, the messages of
   * these hours have arrived, and while auth is unavailable, those of the time before.
   */
  spansOf(process: ProcessId, held: readonly SwitchSpan[]): readonly SwitchSpan[] {
    if (this.isBehind(process)) return this.spans;
    const contactMs = this.contactMs.get(process);
    const { authAway } = this;
    return authAway && contactMs !== undefined && authAway.atMs - contactMs > CONTACT_MS_MAX ? authAway.spans : held;
  }

  /** Auth's response about the switches. */
  private rights() {
    const off = [
      ...(this.spans.at(-1)?.toMs === null ? ['claims'] : []),
      ...(this.isCommissionOff ? ['commission'] : []),
    ];
    return { entries: [{ key: SWITCHES_KEY, value: { off, spans: [...this.spans] } }], next: null };
  }

  private counted<T>(subject: string, work: Promise<T>): Promise<T> {
    const count = (by: number) => this.underWay.set(subject, (this.underWay.get(subject) ?? 0) + by);
    count(1);
    return work.finally(() => count(-1));
  }

  /** Kills every process of a service. */
  crashAll(service: ServiceName): void {
    for (let replica = 0; replica < REPLICAS; replica += 1) {
      const running = this.running.get(`${service}:${replica}`);
      if (running) this.crash(running.id);
    }
  }

  /** Returns all current processes of a service. */
  all<S extends ServiceName>(service: S): Parts<S>[] {
    return this.processes(service).map(({ parts }) => parts as Parts<S>);
  }

  private processes(service: ServiceName): Running[] {
    const found = Array.from({ length: REPLICAS }, (_, replica) => this.running.get(`${service}:${replica}`));
    return found.filter((running) => running !== undefined);
  }

  /** Delivers one event to a process of a service. */
  async deliver(service: ServiceName, again: boolean): Promise<void> {
    const { parts, died } = await this.serving(service);
    return Promise.race([this.bus.deliver(service, parts.handlers, again), died]);
  }

  /** Runs one periodic task in some process. */
  async sweep(service: ServiceName): Promise<unknown> {
    const { parts, died } = await this.serving(service, false);
    // Like the kit's periodic work: nothing is due by a wrong clock.
    if (parts.clock.wrong?.()) return undefined;
    return Promise.race([this.chance.pick(parts.sweeps)(), died]);
  }

  /** Runs all periodic work in one process of each service. */
  async sweepAll(): Promise<void> {
    for (const service of SERVICES) {
      const { parts } = this.any(service);
      await parts.ready;
      for (const sweep of parts.sweeps) await sweep();
    }
  }

  private any(service: ServiceName): Running {
    const found = this.running.get(`${service}:${this.chance.int(REPLICAS)}`);
    if (!found) throw new RangeError(`no process of ${service}`);
    return found;
  }

  private start(service: ServiceName, replica: number): void {
    this.lives += 1;
    const id: ProcessId = { service, replica, life: this.lives };
    let kill = () => {};
    const died = new Promise<never>((_, reject) => {
      kill = () => reject(new ProcessDied());
    });
    died.catch(() => {});
    const parts: Wired = WIRINGS[service](this, this.modules, id);
    parts.ready.catch(() => this.crash(id));
    this.kinds.set(service, new Set(parts.handlers.map(({ kind }) => kindName(kind))));
    this.running.set(`${service}:${replica}`, { id, parts, died, kill });
  }

  private crash(process: ProcessId): void {
    const dead = this.running.get(`${process.service}:${process.replica}`);
    if (dead?.id !== process) return;
    this.scheduler.drop(process);
    this.start(process.service as ServiceName, process.replica);
    dead.kill();
  }
}

/** Whether an error comes from the chaos itself; callers then retry. */
export function isChaos(error: unknown): boolean {
  return error instanceof LostAnswer || error instanceof ProcessDied;
}
