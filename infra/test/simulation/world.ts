import { kindName } from '@cord/contracts/events/envelope';
import type { SwitchSpan } from '@cord/contracts/switches';
import type { EpochTable } from '../../../services/mining/ledger/epochs.js';
import { ModelBackend } from '../../../services/mining/test/simulation/model-backend.js';
import { type Chance, chanceOf } from '../../../services/mining/test/simulation/random.js';
import { USUAL_BOUNDS } from '../../../services/mining/test/simulation/world-bounds.js';
import type { CatalogueTask } from '../../../services/tasks/domain/task.js';
import { ModelBus } from './model-bus.js';
import { ModelStore } from './model-store.js';
import type { Modules } from './modules.js';
import { type Wired, wireLedger, wireReferrals, wireRewards, wireTasks } from './processes.js';
import { LostAnswer, type ProcessId, Scheduler } from './scheduler.js';

const REPLICAS = 2;
/** How far the clock of each replica is ahead of the one before it, ms. */
const SKEW_MS = 900;
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
}

interface Running {
  readonly id: ProcessId;
  readonly parts: Wired;
  /** Rejects when the process dies. */
  readonly died: Promise<never>;
  readonly kill: () => void;
}

/** Two processes of each of four services over one store and one bus, a clock, and the seed that decides everything. */
export class World {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly store: ModelStore;
  readonly bus: ModelBus;
  readonly backend: ModelBackend;
  readonly people: Person[] = [];
  /** When claims were off, as auth tells it; the last one may be open. */
  spans: SwitchSpan[] = [];
  catalogue: CatalogueTask[];
  epochs: EpochTable;
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
    this.scheduler = new Scheduler(
      this.chance,
      (process) => this.crash(process),
      (error) => {
        this.violation ??= error;
      },
    );
    this.store = new ModelStore(this.scheduler);
    this.bus = new ModelBus(this.chance, () => this.kinds);
    this.catalogue = modules.seed.SEED_TASKS.map((task) => ({ ...task }));
    this.epochs = modules.epochs.epochTable(1n, [
      { id: 'alpha', multiplierHundredths: 100, startAt: 0, endAt: START_MS + 30 * 86_400_000 },
    ]);
    this.backend = new ModelBackend(modules.accountWrite.accountWrite, () => this.epochs, USUAL_BOUNDS, {
      startMs: START_MS,
      nowMs: () => this.nowMs,
      skewMs: (REPLICAS - 1) * SKEW_MS,
    });
    for (const service of SERVICES)
      for (let replica = 0; replica < REPLICAS; replica += 1) this.start(service, replica);
  }

  /** What a process's clock says. */
  nowOf({ replica }: ProcessId): number {
    return this.nowMs + replica * SKEW_MS;
  }

  /** Uses some living process of a service, as a caller does that knows nothing of replicas. Rejects when it dies meanwhile. */
  use<S extends ServiceName, R>(service: S, act: (parts: Parts<S>) => Promise<R>): Promise<R> {
    const { parts, died } = this.any(service);
    return Promise.race([act(parts as Parts<S>), died]);
  }

  /** A request from one process to another service: it may be lost on its way there, and its answer on the way back. */
  async request(
    from: ProcessId,
    rpc: { subject: string; request: never; reply: never },
    payload: unknown,
  ): Promise<unknown> {
    const { Problem } = this.modules.problem;
    const away = (error: unknown) => {
      throw error instanceof Problem ? error : new Problem(503, 'service-unavailable', 'no answer');
    };
    const shaped = (schema: { parse(value: unknown): unknown }, value: unknown) =>
      schema.parse(JSON.parse(JSON.stringify(value)));
    await this.scheduler.operation(from, () => undefined).catch(away);
    const { parts, died } = this.any('mining');
    const pattern = rpc.subject.replace(/\.[a-z]+$/, '.*');
    const answer = parts.answers.get(rpc.subject) ?? parts.answers.get(pattern);
    if (!answer) throw new Error(`nobody answers ${rpc.subject}`);
    const made = answer(shaped(rpc.request, payload), { subject: rpc.subject });
    const reply = await Promise.race([made, died]).catch(away);
    await this.scheduler.operation(from, () => undefined).catch(away);
    return shaped(rpc.reply, reply);
  }

  /** Delivers one event to some process of a service. */
  deliver(service: ServiceName, again: boolean): Promise<void> {
    const { parts, died } = this.any(service);
    return Promise.race([this.bus.deliver(service, parts.handlers, again), died]);
  }

  /** Something that comes again and again, in some process. */
  sweep(service: ServiceName): Promise<unknown> {
    const { parts, died } = this.any(service);
    return Promise.race([this.chance.pick(parts.sweeps)(), died]);
  }

  /** All of it, in one process of each service. */
  async sweepAll(): Promise<void> {
    for (const service of SERVICES) for (const sweep of this.any(service).parts.sweeps) await sweep();
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

/** Whether an error is one of the chaos itself, after which a caller tries again. */
export function isChaos(error: unknown): boolean {
  return error instanceof LostAnswer || error instanceof ProcessDied;
}
