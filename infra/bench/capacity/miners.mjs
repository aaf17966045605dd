import { setTimeout as sleep } from 'node:timers/promises';
import { call, inParallel, signIn } from '../../test/kit/people.ts';

/** As the app saves while it is seen. */
const SAVE_EVERY_MS = 10_000;
const LANES = 8;

/** People who are signed in, and whose nodes run and are saved while they are told to. */
export class Miners {
  failures = [];
  saves = 0;

  static async signIn(origin, count) {
    const people = await inParallel([...Array(count).keys()], LANES, (n) =>
      signIn(origin, { years: 0.5 + (n % 10), username: `capacity.${n}` }),
    );
    return new Miners(people);
  }

  constructor(people) {
    this.people = people;
  }

  startNodes() {
    return inParallel(this.people, LANES, async (person) => {
      const { id } = await call(person, 'POST', `/users/${person.id}/mining/start`, {});
      person.save = `/users/${person.id}/mining/${id}/save`;
    });
  }

  stopNodes() {
    return inParallel(this.people, LANES, (person) => call(person, 'POST', `/users/${person.id}/deactivate-node`, {}));
  }

  /** Saves of everybody, spread evenly, for so long. */
  async save(ms) {
    const beganMs = performance.now();
    const under = new Set();
    const everyMs = SAVE_EVERY_MS / this.people.length;
    for (let n = 0; n * everyMs < ms; n += 1) {
      await sleep(Math.max(0, beganMs + n * everyMs - performance.now()));
      const person = this.people[n % this.people.length];
      const saved = call(person, 'POST', person.save, { earningsToAdd: 0.08 }).then(
        () => {
          this.saves += 1;
        },
        (error) => this.failures.push(error.message),
      );
      under.add(saved);
      void saved.then(() => under.delete(saved));
    }
    await Promise.all(under);
  }
}
