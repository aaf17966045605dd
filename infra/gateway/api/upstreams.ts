import { setTimeout as sleep } from 'node:timers/promises';
import { ownerOf, partitionOf } from '@cord/contracts/rules/affinity';
import { boundedText } from '@cord/kit/http/bounded-body';
import { jsonIn } from '@cord/kit/json';
import { ADMITS_WRITES, opsUrlOf } from '@cord/kit/ops-port';

/** Probe interval, ms: the slowest on one machine; a draining process waits twice this time (kit, DRAIN_MS_DEFAULT). */
export const PROBE_EVERY_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;
/** Maximum size of a response; one has a few hundred bytes. */
const PROBE_BYTES_MAX = 64 * 1024;
/** Consecutive unanswered probes that make a replica not ready: a single one may be a busy machine, and must not move its users. */
const MISSES_MAX = 2;

/** One replica of one service. */
export interface Replica {
  /** URL for calls. */
  url: string;
  hostname: string;
  port: number;
  /** URL for its readiness and list of calls. */
  opsUrl: string;
  ready: boolean;
  /** It is about to stop, or its store is away: it gets calls only when no other replica is ready, but before those that are not ready. */
  yields: boolean;
  /** Replica number, from /readyz; undefined until then. */
  replica?: number | undefined;
  /** Id of its process's life, from /readyz; empty when that has none; null until it was ready once. */
  life: string | null;
  /** Consecutive unanswered probes. */
  misses: number;
}

/** The replicas of each service, in calling order: first the one that has the user, then in turn; ready ones before the others. */
export class Upstreams<Name extends string> {
  #replicas: ReadonlyMap<Name, Replica[]> = new Map();
  readonly #turns = new Map<Name, number>();
  readonly #closed = new AbortController();
  #probing: Promise<unknown> = Promise.resolve();
  #shared: Promise<Map<Name, boolean>> | undefined;
  #after: () => Promise<void> = async () => undefined;
  #admitsWrites: () => boolean = () => false;

  constructor(urls: Partial<Record<Name, string[]>>) {
    this.set(urls);
  }

  /**
   * Sets the replicas; known ones keep their state. A new one counts as ready until its own response, a refused
   * connection or two unanswered probes show otherwise.
   */
  set(urls: Partial<Record<Name, string[]>>): void {
    const entries = Object.entries(urls) as [Name, string[]][];
    const before = this.#replicas;
    const known = (name: Name, url: string) => before.get(name)?.find((one) => one.url === url);
    this.#replicas = new Map(
      entries.map(([name, list]) => [name, list.map((url) => known(name, url) ?? replicaAt(url))]),
    );
  }

  /** Sets the work that runs as the last part of each probe. */
  afterProbe(work: () => Promise<void>): void {
    this.#after = work;
  }

  /** Sets whether the gateway allows writes of signed-in users. Each probe reports it, so that a service knows when its users cannot write. */
  admitsWrites(admits: () => boolean): void {
    this.#admitsWrites = admits;
  }

  of(name: Name): readonly Replica[] {
    return this.#replicas.get(name) ?? [];
  }

  names(): Name[] {
    return [...this.#replicas.keys()];
  }

  /**
   * Returns the replicas for one call in order of attempts; empty for an unknown service.
   * @param userId the caller: the replica that has this user comes first (services/README.md#one-writer-per-user)
   * @param answers whether a replica has this call: only those that do are tried; if none does, all are
   */
  inTurn(name: Name, userId?: string, answers: (replica: Replica) => boolean = () => true): Replica[] {
    const all = this.#replicas.get(name) ?? [];
    const able = all.filter(answers);
    const replicas = able.length > 0 ? able : all;
    const turn = this.#turns.get(name) ?? 0;
    this.#turns.set(name, (turn + 1) % Math.max(1, replicas.length));
    const rotated = [...replicas.slice(turn), ...replicas.slice(0, turn)];
    const ready = rotated.filter((one) => one.ready && !one.yields);
    const owner = userId === undefined ? undefined : ownerAmong(ready, userId);
    const first = owner ? [owner, ...ready.filter((one) => one !== owner)] : ready;
    const yielding = rotated.filter((one) => one.yields);
    return [...first, ...yielding, ...rotated.filter((one) => !one.ready && !one.yields)];
  }

  /**
   * Probes all replicas in parallel, after a probe in progress, so that two misses are two stalls and not one seen twice.
   * @returns which services have a ready replica
   */
  probe(): Promise<Map<Name, boolean>> {
    const probed = this.#probing.then(() => this.#probeAll());
    this.#probing = probed;
    return probed;
  }

  /** Starts a probe, or joins the shared one in progress. */
  probeShared(): Promise<Map<Name, boolean>> {
    this.#shared ??= this.probe().finally(() => {
      this.#shared = undefined;
    });
    return this.#shared;
  }

  async #probeAll(): Promise<Map<Name, boolean>> {
    const headers: Record<string, string> = this.#admitsWrites() ? { [ADMITS_WRITES]: 'yes' } : {};
    await Promise.all([...this.#replicas.values()].flat().map((replica) => probe(replica, headers)));
    await this.#after();
    return new Map([...this.#replicas].map(([name, replicas]) => [name, replicas.some(({ ready }) => ready)]));
  }

  /** Probes once a second until close(). */
  async watch(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const beganMs = performance.now();
      await this.probe();
      // Measured from start to start, so that one slow replica does not delay the others' updates.
      const pauseMs = Math.max(0, PROBE_EVERY_MS - (performance.now() - beganMs));
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  close(): void {
    this.#closed.abort();
  }
}

function replicaAt(url: string): Replica {
  const { hostname, port } = new URL(url);
  // Sockets take IPv6 addresses without brackets.
  const where = { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
  return { url, ...where, opsUrl: opsUrlOf(url), ready: true, yields: false, misses: 0, life: null };
}

/** Returns the replica that has the user. Before the first probe no numbers are known, and replicas take turns. */
function ownerAmong(ready: readonly Replica[], userId: string): Replica | undefined {
  const numbers = ready.flatMap(({ replica }) => (replica === undefined ? [] : [replica]));
  const owner = ownerOf(partitionOf(userId), numbers);
  return owner === undefined ? undefined : ready.find(({ replica }) => replica === owner);
}

/** Reads and stores whether a replica is ready. */
async function probe(replica: Replica, headers: Record<string, string>): Promise<void> {
  try {
    const answer = await fetch(`${replica.opsUrl}/readyz`, { headers, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const text = await boundedText(answer, PROBE_BYTES_MAX);
    replica.misses = 0;
    replica.ready = answer.ok;
    const body = recordIn(text);
    if (answer.ok) Object.assign(replica, { yields: body?.yields === true, ...lifeIn(body) });
    else replica.yields = Array.isArray(body?.failing) && body.failing.includes('draining');
  } catch (error) {
    replica.misses += 1;
    if (replica.misses < MISSES_MAX && !isRefused(error)) return;
    replica.ready = false;
    replica.yields = false;
  }
}

/** Whether the connection was refused: nobody listens, which is certain at once. */
function isRefused(error: unknown): boolean {
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
}

function lifeIn(body: ReturnType<typeof recordIn>): Pick<Replica, 'replica' | 'life'> {
  const { replica, life } = body ?? {};
  return {
    replica: Number.isInteger(replica) ? (replica as number) : undefined,
    life: typeof life === 'string' ? life : '',
  };
}

function recordIn(text: string): Record<string, unknown> | null {
  const body = jsonIn(text);
  return typeof body === 'object' ? (body as Record<string, unknown> | null) : null;
}
