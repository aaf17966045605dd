import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './ports.ts';
import { StartError } from './problems.mjs';
import type { LaunchSpec, Supervised } from './supervised.ts';
import type { UpstreamsFile } from './upstreams.ts';

/** Time to stop, in ms; a service plans 9 s for its shutdown (kit, SHUTDOWN_MS_MAX). */
const RETIRE_GRACE_MS = 10_000;
/** Poll interval for a new replica under watch, in ms. */
const POLL_MS = 100;
/** Same as REPLICAS_MAX of the contracts: each replica's number is below it and names its consumers. */
const REPLICAS_MAX = 32;

/** A version of a service and its main.js. */
export interface Release {
  version: string;
  main: string;
}

/** One replica of a service to start. */
export interface Replica {
  service: string;
  replica: number;
  name: string;
  port: number;
  release?: Release | undefined;
}

interface FleetParts {
  /** all running processes; replicas are added and removed */
  processes: Supervised[];
  /** resolves to undefined while the system stops */
  launch: (spec: LaunchSpec) => Promise<Supervised | undefined>;
  specOf: (one: Replica) => LaunchSpec;
  upstreams: UpstreamsFile;
  runFile: { update(): Promise<void> };
  report: (line: string) => void;
}

/** The replicas of all services in a running system; they are added and removed one at a time. */
export class Fleet {
  readonly #parts: FleetParts;

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  replicasOf(service: string): Supervised[] {
    return this.#parts.processes.filter(({ spec }) => spec.service === service);
  }

  /** Starts one more replica. @throws {StartError} when it does not become ready; it is then removed */
  async start(service: string, release: Release, readyMs: number): Promise<Supervised> {
    const replica = this.#freeNumber(service);
    const [port] = await freePorts(1);
    const name = replica === 0 ? service : `${service}-${replica + 1}`;
    const spec = this.#parts.specOf({ service, replica, name, port, release });
    try {
      const started = await this.#parts.launch({ ...spec, name, readyTimeoutMs: readyMs });
      if (!started) throw new StartError('the system is stopping.');
      return started;
    } catch (error) {
      await this.#forget(({ spec: { url } }) => url === spec.url);
      throw error;
    }
  }

  /** Routes calls to these replicas only; done when it resolves. */
  async serve(service: string, replicas: Supervised[]): Promise<void> {
    const refused = await this.#parts.upstreams.set(
      service,
      replicas.flatMap(({ spec }) => spec.url ?? []),
    );
    for (const one of refused)
      if (one.service === service) this.#parts.report(`${one.path} belongs to ${one.owner}: not routed to ${service}`);
  }

  /** Stops a replica that gets no more calls, so it need not report itself unready first. */
  async retire(replica: Supervised): Promise<void> {
    await replica.stop(RETIRE_GRACE_MS, 'SIGINT');
    await this.#forget((one) => one === replica);
  }

  #freeNumber(service: string): number {
    const taken = new Set(this.replicasOf(service).map(({ spec }) => spec.env.CORD_REPLICA));
    for (let number = 0; number < REPLICAS_MAX; number += 1) if (!taken.has(String(number))) return number;
    throw new StartError(`${service} has the maximum of ${REPLICAS_MAX} replicas: a rolling update needs one more.`);
  }

  async #forget(isIt: (one: Supervised) => boolean) {
    const { processes, runFile } = this.#parts;
    const at = processes.findIndex(isIt);
    if (at >= 0) processes.splice(at, 1);
    await runFile.update();
  }
}

interface Update {
  service: string;
  release: Release;
  /** the running release */
  before: Release;
  fleet: Pick<Fleet, 'replicasOf' | 'start' | 'serve' | 'retire'>;
  bounds: { readyMs: number; watchMs: number };
  report: (line: string) => void;
}

/**
 * Replaces the replicas of a service one by one. A new, ready replica takes calls beside the old one for a while; then the
 * old one gets no more calls, finishes its work and stops. When a new one fails, everything is rolled back the same way.
 * @throws {StartError} with the reason of a rollback
 */
export async function rollingUpdate(update: Update): Promise<void> {
  const { service, release, before, fleet, bounds, report } = update;
  const old = [...fleet.replicasOf(service)];
  const fresh: Supervised[] = [];
  let serving = [...old];
  try {
    for (const leaving of old) {
      const coming = await fleet.start(service, release, bounds.readyMs);
      fresh.push(coming);
      serving.push(coming);
      await fleet.serve(service, serving);
      report(`${coming.spec.name} is ready with ${release.version} and receives calls`);
      await staysUp([coming], bounds.watchMs);
      serving = serving.filter((one) => one !== leaving);
      await fleet.serve(service, serving);
      await fleet.retire(leaving);
      report(`${leaving.spec.name} with ${before.version} has stopped`);
    }
    await staysUp(fresh, bounds.watchMs);
  } catch (error) {
    const { message } = error as Error;
    report(`rolling back to ${before.version}: ${message}`);
    const restarted = await goBack(update, old, fresh);
    report(`${service} is at ${before.version} again${restarted > 0 ? `, ${restarted} restarted` : ''}`);
    throw new StartError(`${service} stays at ${before.version}. ${message}`);
  }
}

/** Watches the replicas for watchMs. @throws {StartError} naming one that has ended, restarted or not */
async function staysUp(fresh: Supervised[], watchMs: number) {
  const pids = fresh.map(({ pid }) => pid);
  const untilMs = performance.now() + watchMs;
  for (;;) {
    const ended = fresh.find((one, index) => one.pid === undefined || one.pid !== pids[index]);
    if (ended) throw new StartError(`${ended.spec.name} exited after it was ready: see ${ended.spec.logFile}`);
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return;
    await sleep(Math.min(POLL_MS, leftMs));
  }
}

/** Restarts the missing old replicas before the new ones stop. @returns how many */
async function goBack({ service, before, fleet, bounds, report }: Update, old: Supervised[], fresh: Supervised[]) {
  const serving = fleet.replicasOf(service).filter((one) => old.includes(one));
  const missing = old.length - serving.length;
  try {
    for (let restarted = 0; restarted < missing; restarted += 1)
      serving.push(await fleet.start(service, before, bounds.readyMs));
  } catch (error) {
    throw new StartError(
      `the rollback of ${service} to ${before.version} failed, its running replicas stay: ${(error as Error).message}`,
    );
  }
  // An unreachable gateway reads the same file when it is back.
  await fleet.serve(service, serving).catch((error: Error) => report(error.message));
  await Promise.all(fresh.map((one) => fleet.retire(one)));
  return missing;
}
