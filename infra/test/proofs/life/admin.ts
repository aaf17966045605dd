import { until } from '../../kit/until.ts';
import type { Miner } from './miner.ts';

const HOUR_MS = 3_600_000;
const EFFECT_MS_MAX = 60_000;

/** An epoch in rewards' API. */
export interface Epoch {
  id: string;
  startDate: string;
  endDate: string;
  rewardsMultiplier: number;
}

/** An admin who changes epochs: shortens the running one, replaces it, changes and removes later ones. */
export class EpochAdmin {
  changes = 0;
  readonly #miner: Miner;
  #made = 0;

  constructor(miner: Miner) {
    this.#miner = miner;
  }

  async begin(): Promise<void> {
    await fetch(`${this.#miner.origin}/dev/users/${this.#miner.id}/admin`, { method: 'POST' });
    await until(
      'the role reaches rewards',
      async () => (await this.#miner.request('GET', '/epochs')).ok,
      EFFECT_MS_MAX,
    );
  }

  /**
   * Makes one change to the table.
   * @param nowMs the system's time
   */
  async change(nowMs: number): Promise<void> {
    const { random } = this.#miner;
    const table = await this.table();
    const running = table.find(
      ({ startDate, endDate }) => Date.parse(startDate) <= nowMs && nowMs < Date.parse(endDate),
    );
    const later = table.filter(({ startDate }) => Date.parse(startDate) > nowMs + HOUR_MS);
    const kind = random.pick(['cut', 'cut', 'multiplier', 'remove']);
    if (kind === 'cut' && running && Date.parse(running.endDate) > nowMs + 3 * HOUR_MS) {
      const at = new Date(nowMs + 10 * 60_000 + random.int(2 * HOUR_MS - 10 * 60_000)).toISOString();
      await this.#write('PUT', `/epochs/${running.id}`, { endDate: at });
      if (random.next() < 0.8) {
        this.#made += 1;
        await this.#write('POST', '/epochs', {
          id: `life-${this.#made}`,
          name: `Life ${this.#made}`,
          description: 'Made by the admin of this life',
          rewardsMultiplier: (50 + random.int(201)) / 100,
          startDate: at,
          endDate: running.endDate,
        });
      }
    } else if (kind === 'remove' && later.length > 2 && random.next() < 0.3) {
      await this.#write('DELETE', `/epochs/${random.pick(later).id}`);
    } else if (later[0]) {
      await this.#write('PUT', `/epochs/${later[0].id}`, { rewardsMultiplier: (50 + random.int(201)) / 100 });
    }
  }

  async table(): Promise<Epoch[]> {
    return (await this.#miner.request('GET', '/epochs')).body;
  }

  async #write(method: string, path: string, body?: object) {
    if ((await this.#miner.request(method, path, body)).ok) this.changes += 1;
  }
}
