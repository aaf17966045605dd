import { setTimeout as sleep } from 'node:timers/promises';
import { ownerOf, partitionOf } from '@cord/contracts/rules/affinity';
import { boundedText } from '@cord/kit/http/bounded-body';
import { jsonIn } from '@cord/kit/json';
import { ADMITS_WRITES, opsUrlOf } from '@cord/kit/ops-port';

/** The slowest prober of a system on one machine: who drains stays for twice this (kit, DRAIN_MS_DEFAULT). */
export const PROBE_EVERY_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;
/** Of an answer; one has a few hundred bytes. */
const PROBE_BYTES_MAX = 64 * 1024;
/** Unanswered probes in a row that make a replica unready: one alone is a busy machine, and must not move its users. */
const MISSES_MAX = 2;

/** One replica of one service. */
export interface Replica {
  /** Where calls go. */
  url: string;
  hostname: string;
  port: number;
  /** Where its readiness and its calls are read. */
  opsUrl: string;
  ready: boolean;
  /** It goes soon, or its store is away: calls go to it only where no other is ready, and before those that are not. */
  yields: boolean;
  /** Its number, from /readyz; undefined until then. */
  replica?: number | undefined;
  /** The name of its process's life, from /readyz; empty where that names none; null until it was ready once. */
  life: string | null;
  /** Probes in a row that it left without an answer. */
  misses: number;
}

/** The replicas of each service: the one that has the user first, then in turn, those that are ready before the others. */
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
   * These are the replicas from now on; one that was there before stays as it was. A new one counts as ready until its own
   * answer, a refused connection or two unanswered probes show otherwise.
   */
  set(urls: Partial<Record<Name, string[]>>): void {
    const entries = Object.entries(urls) as [Name, string[]][];
    const before = this.#replicas;
    const known = (name: Name, url: string) => before.get(name)?.find((one) => one.url === url);
    this.#replicas = new Map(
      entries.map(([name, list]) => [name, list.map((url) => known(name, url) ?? replicaAt(url))]),
    );
  }

  /** What is to be done at the end of each probe, as part of it. */
  afterProbe(work: () => Promise<void>): void {
    this.#after = work;
  }

  /** Whether the gateway admits writes of signed-in users: each probe states it, so that a service knows when its users cannot write. */
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
   * The order in which to try the replicas for one call; empty when there is no such service.
   * @param userId whose call it is: the replica that has the user comes first (services/README.md#one-writer-per-user)
   * @param answers whether a replica answers this call: of those that do no other is tried; where none does, all are
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
   * Probes every replica at once, after a probe that is under way: so two misses are two stalls and not one seen twice.
   * @returns which services have a replica that is ready
   */
  probe(): Promise<Map<Name, boolean>> {
    const probed = this.#probing.then(() => this.#probeAll());
    this.#probing = probed;
    return probed;
  }

  /** A probe that begins now, or the one of this kind that is under way: any number of callers share one. */
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
      // From beginning to beginning: one replica that is slow to answer keeps the others' news no longer.
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
  // As a socket wants an IPv6 address.
  const where = { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
  return { url, ...where, opsUrl: opsUrlOf(url), ready: true, yields: false, misses: 0, life: null };
}

/** Before the first probe no number is known: then nobody has a user, and replicas take turns. */
function ownerAmong(ready: readonly Replica[], userId: string): Replica | undefined {
  const numbers = ready.flatMap(({ replica }) => (replica === undefined ? [] : [replica]));
  const owner = ownerOf(partitionOf(userId), numbers);
  return owner === undefined ? undefined : ready.find(({ replica }) => replica === owner);
}

/** Reads whether a replica is ready, and notes it. */
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

/** Nobody listens there: that is certain at once. */
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
