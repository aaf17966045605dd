import { setTimeout as sleep } from 'node:timers/promises';
import { call, inParallel, signIn } from '../../test/kit/people.ts';

/** As the app saves while it is seen. */
const SAVE_EVERY_MS = 10_000;
const READ_EVERY_MS = 250;
const CLAIM_EVERY_MS = 3_000;
const COME_EVERY_MS = 3_000;
const LANES = 6;
const HOSTS = 2;
/** Who can claim before the first newcomer has come; from then on newcomers do. */
const CLAIMERS = 10;
/** How long a caller waits before the one other try. */
const RETRY_AFTER_MS = 1_000;

const READS = [
  (id) => `/users/${id}`,
  (id) => `/users/${id}/mining/current`,
  (id) => `/users/${id}/ledger?limit=20`,
  (id) => `/referrals/${id}/stats`,
  () => '/leaderboard?period=daily',
  () => '/leaderboard/me',
  () => '/stats',
];

/** Readers, claimers, newcomers and savers, each act at its own time whatever the others take. */
export class Mix {
  failures = [];
  calls = 0;
  retried = 0;
  /** Who has claimed a check-in, or has tried to: ids. */
  claimed = new Set();
  /** Who came by whose code: ids of friends by the id of who invited them. @type {Map<string, string[]>} */
  friendsOf = new Map();
  #timers = [];
  #under = new Set();
  #stopped = false;
  #arrived = 0;

  /**
   * @param {string} origin where people sign in
   * @param {{alsoAt?: string[], retries?: number}} [how] further gateways that serve people in turn with the first; how
   *   often a call that may go through next time is made again
   */
  constructor(origin, { alsoAt = [], retries = 0 } = {}) {
    this.origin = origin;
    this.gateways = [origin, ...alsoAt];
    this.retries = retries;
  }

  /** Signs in who reads, claims and will save. @param {(number | null)[]} referrers who invited each saver, by index */
  async prepare(referrers) {
    const arrive = (name, inviter) => this.#arrive(3.5, name, inviter);
    const all = (count, name) => inParallel([...Array(count).keys()], LANES, (n) => arrive(`${name}.${n}`));
    this.hosts = await inParallel(await all(HOSTS, 'host'), LANES, withCode);
    this.claimers = await all(CLAIMERS, 'claimer');
    const isFirst = (referrer) => referrer === null;
    const first = await all(referrers.filter(isFirst).length, 'saver');
    const inviters = await inParallel(first, LANES, withCode);
    const invited = referrers.filter((referrer) => !isFirst(referrer));
    const friends = await inParallel(invited, LANES, (referrer, n) => arrive(`friend.${n}`, inviters[referrer]));
    this.people = [...first, ...friends];
  }

  /** Everything but the nodes. */
  begin() {
    let came = 0;
    const readers = [...this.hosts, ...this.claimers];
    this.#every(READ_EVERY_MS, 0, (n) => {
      const person = readers[n % readers.length];
      return call(person, 'GET', READS[n % READS.length](person.id));
    });
    this.#every(CLAIM_EVERY_MS, 0, (n) => {
      if (n >= this.claimers.length) throw new Error('nobody is left who could claim');
      this.claimed.add(this.claimers[n].id);
      return call(this.claimers[n], 'POST', '/daily-checkin/perform', {});
    });
    this.#every(COME_EVERY_MS, CLAIM_EVERY_MS / 2, async (n) => {
      came += 1;
      // Every second one comes by a friend's code.
      const host = n % 2 === 0 ? this.hosts[(n / 2) % HOSTS] : undefined;
      this.claimers.push(await this.#arrive(1.5, `new.${came}`, host));
    });
  }

  async #arrive(years, name, inviter) {
    const who = { years, username: `load.${name}`, referralCode: inviter?.code };
    const person = await signIn(this.origin, who);
    if (inviter) this.friendsOf.set(inviter.id, [...(this.friendsOf.get(inviter.id) ?? []), person.id]);
    const origin = this.gateways[this.#arrived++ % this.gateways.length];
    return { ...person, origin };
  }

  /** Starts every node, and saves of each from then on. */
  async startNodes() {
    await inParallel(this.people, LANES, async (person, n) => {
      const { id } = await this.#counted(() => call(person, 'POST', `/users/${person.id}/mining/start`, {}));
      const save = () => call(person, 'POST', `/users/${person.id}/mining/${id}/save`, { earningsToAdd: 0.08 });
      this.#every(SAVE_EVERY_MS, (n / this.people.length) * SAVE_EVERY_MS, save);
    });
  }

  /** Stops every node. */
  stopNodes() {
    const stop = (person) => this.#counted(() => call(person, 'POST', `/users/${person.id}/deactivate-node`, {}));
    return inParallel(this.people, LANES, stop);
  }

  /** Ends everything but the nodes, and waits for what is under way. */
  async end() {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#under);
  }

  #every(ms, offsetMs, act) {
    const beganMs = performance.now() + offsetMs;
    const next = (n) => {
      if (this.#stopped) return;
      const timer = setTimeout(
        () => {
          const done = this.#counted(async () => act(n)).catch(() => undefined);
          this.#under.add(done);
          void done.then(() => this.#under.delete(done));
          this.#timers[slot] = undefined;
          next(n + 1);
        },
        Math.max(0, beganMs + n * ms - performance.now()),
      );
      this.#timers[slot] = timer;
    };
    const slot = this.#timers.push(undefined) - 1;
    next(0);
  }

  async #counted(work) {
    this.calls += 1;
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        // It had gone through, and its answer was lost.
        if (tries > 1 && error.status === 409) return undefined;
        if (tries > this.retries || !mayPassNext(error)) {
          this.failures.push(error.message);
          throw error;
        }
        this.retried += 1;
        await sleep(RETRY_AFTER_MS);
      }
    }
  }
}

/** Everything but what is refused for good. */
const mayPassNext = ({ status }) => status === undefined || status >= 500 || status === 429;

async function withCode(person) {
  let answer;
  for (let tries = 0; tries < 100; tries += 1) {
    // Of a system that has only just come up: a service may not know yet who has signed in.
    answer = await call(person, 'GET', `/referrals/${person.id}/stats`).catch((error) => error);
    if (answer.referralCode) return { ...person, code: answer.referralCode };
    await sleep(100);
  }
  throw new Error(`${person.username} has got no code: ${answer.message ?? JSON.stringify(answer)}`);
}
