import { setTimeout as sleep } from 'node:timers/promises';
import { call, inParallel, type Newcomer, signIn } from '../../test/kit/people.ts';

/** Save interval of the visible app. */
const SAVE_EVERY_MS = 10_000;
const LANES = 8;

/** A user; with a running node also the path of its saves. */
type Miner = Newcomer & { savePath?: string };

/** Signed-in users whose nodes are started, saved and stopped. */
export class Miners {
  readonly failures: string[] = [];
  saves = 0;
  readonly #people: Miner[];

  static async signIn(origin: string, count: number): Promise<Miners> {
    const people = await inParallel([...Array(count).keys()], LANES, (n) =>
      signIn(origin, { years: 0.5 + (n % 10), username: `capacity.${n}` }),
    );
    return new Miners(people);
  }

  private constructor(people: Miner[]) {
    this.#people = people;
  }

  startNodes(): Promise<unknown> {
    return inParallel(this.#people, LANES, async (person) => {
      const { id } = await call(person, 'POST', `/users/${person.id}/mining/start`, {});
      person.savePath = `/users/${person.id}/mining/${id}/save`;
    });
  }

  stopNodes(): Promise<unknown> {
    return inParallel(this.#people, LANES, (person) => call(person, 'POST', `/users/${person.id}/deactivate-node`, {}));
  }

  /** Makes everybody's saves, spread evenly over `ms`. */
  async save(ms: number): Promise<void> {
    const beganMs = performance.now();
    const under = new Set<Promise<unknown>>();
    const everyMs = SAVE_EVERY_MS / this.#people.length;
    for (let n = 0; n * everyMs < ms; n += 1) {
      await sleep(Math.max(0, beganMs + n * everyMs - performance.now()));
      const person = this.#people[n % this.#people.length];
      if (!person?.savePath) throw new Error('cannot save a node that was not started');
      const saved = call(person, 'POST', person.savePath, { earningsToAdd: 0.08 }).then(
        () => {
          this.saves += 1;
        },
        (error: Error) => {
          this.failures.push(error.message);
        },
      );
      under.add(saved);
      void saved.then(() => under.delete(saved));
    }
    await Promise.all(under);
  }
}
