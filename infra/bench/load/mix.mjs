import { call, inParallel, signIn } from '../system/people.mjs';

/** As the app saves while it is seen (spec, part 9). */
const SAVE_EVERY_MS = 10_000;
const READ_EVERY_MS = 250;
const CLAIM_EVERY_MS = 3_000;
const COME_EVERY_MS = 3_000;
const LANES = 6;
const HOSTS = 2;

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
  savers = [];
  #timers = [];
  #under = new Set();
  #stopped = false;

  constructor(origin) {
    this.origin = origin;
  }

  /** Signs in who reads, claims and will save. @param {(number | null)[]} referrers who invited each saver, by index */
  async prepare(referrers, claims) {
    const arrive = (name, referralCode) => signIn(this.origin, { years: 3.5, username: `load.${name}`, referralCode });
    const all = (count, name) => inParallel([...Array(count).keys()], LANES, (n) => arrive(`${name}.${n}`));
    this.hosts = await all(HOSTS, 'host');
    this.hostCodes = await inParallel(this.hosts, LANES, codeOf);
    this.claimers = await all(claims, 'claimer');
    const isFirst = (referrer) => referrer === null;
    const first = await all(referrers.filter(isFirst).length, 'saver');
    const codes = await inParallel(first, LANES, codeOf);
    const invited = referrers.filter((referrer) => !isFirst(referrer));
    const friends = await inParallel(invited, LANES, (referrer, n) => arrive(`friend.${n}`, codes[referrer]));
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
      return call(this.claimers[n], 'POST', '/daily-checkin/perform', {});
    });
    this.#every(COME_EVERY_MS, CLAIM_EVERY_MS / 2, (n) => {
      came += 1;
      // Every second one comes by a friend's code.
      const referralCode = n % 2 === 0 ? this.hostCodes[(n / 2) % HOSTS] : undefined;
      return signIn(this.origin, { years: 1.5, username: `load.new.${came}`, referralCode });
    });
  }

  /** Starts every node, and saves of each from then on. */
  async startNodes() {
    await inParallel(this.people, LANES, async (person, n) => {
      const { id } = await this.#counted(() => call(person, 'POST', `/users/${person.id}/mining/start`, {}));
      const save = () => call(person, 'POST', `/users/${person.id}/mining/${id}/save`, { earningsToAdd: 0.08 });
      this.#every(SAVE_EVERY_MS, (n / this.people.length) * SAVE_EVERY_MS, save);
    });
  }

  /** Ends everything, and waits for what is under way. */
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
    try {
      return await work();
    } catch (error) {
      this.failures.push(error.message);
      throw error;
    }
  }
}

/** A claimer claims once a day: how many it takes for a time. */
export const claimersFor = (ms) => Math.ceil(ms / CLAIM_EVERY_MS) + 1;

async function codeOf(person) {
  for (let tries = 0; tries < 100; tries += 1) {
    const { referralCode } = await call(person, 'GET', `/referrals/${person.id}/stats`);
    if (referralCode) return referralCode;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${person.username} has got no code`);
}
