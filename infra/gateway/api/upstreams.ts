import { setTimeout as sleep } from 'node:timers/promises';

const PROBE_EVERY_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;

/** One replica of one service. */
export interface Replica {
  url: string;
  ready: boolean;
}

/** The replicas of each service, in turn, those that say they are ready first. */
export class Upstreams<Name extends string> {
  readonly #replicas: ReadonlyMap<Name, Replica[]>;
  readonly #turns = new Map<Name, number>();
  readonly #closed = new AbortController();

  /** Each replica counts as ready until a probe or a refused connection says otherwise. */
  constructor(urls: Partial<Record<Name, string[]>>) {
    const entries = Object.entries(urls) as [Name, string[]][];
    this.#replicas = new Map(entries.map(([name, list]) => [name, list.map((url) => ({ url, ready: true }))]));
  }

  /** The order in which to try the replicas for one call; empty when there is no such service. */
  inTurn(name: Name): Replica[] {
    const replicas = this.#replicas.get(name) ?? [];
    const turn = this.#turns.get(name) ?? 0;
    this.#turns.set(name, (turn + 1) % Math.max(1, replicas.length));
    const rotated = [...replicas.slice(turn), ...replicas.slice(0, turn)];
    return [...rotated.filter(({ ready }) => ready), ...rotated.filter(({ ready }) => !ready)];
  }

  /** Asks every replica at once. @returns which services have a replica that is ready */
  async probe(): Promise<Map<Name, boolean>> {
    const all = [...this.#replicas.values()].flat();
    await Promise.all(
      all.map(async (replica) => {
        replica.ready = await isReady(replica.url);
      }),
    );
    return new Map([...this.#replicas].map(([name, replicas]) => [name, replicas.some(({ ready }) => ready)]));
  }

  /** Probes once a second until close(). */
  async watch(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await this.probe();
      await sleep(PROBE_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  close(): void {
    this.#closed.abort();
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
