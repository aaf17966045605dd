import { setTimeout as sleep } from 'node:timers/promises';
import { call, inParallel, type Newcomer, signIn } from '../../test/kit/people.ts';
import { until } from '../../test/kit/until.ts';

const CODE_MS_MAX = 10_000;
/** Save interval of the visible app. */
const SAVE_EVERY_MS = 10_000;
const READ_EVERY_MS = 250;
const CLAIM_EVERY_MS = 3_000;
const SIGN_IN_EVERY_MS = 3_000;
const LANES = 6;
const HOSTS = 2;
/** Number of claimers before the first newcomer; then newcomers claim. */
const CLAIMERS = 10;
/** Default delay before the one retry. */
const RETRY_AFTER_MS = 1_000;
const IDS = /\b(?:[0-9a-f]{24}|[0-9a-f-]{36})\b/g;

const READS: readonly ((id: string) => string)[] = [
  (id) => `/users/${id}`,
  (id) => `/users/${id}/mining/current`,
  (id) => `/users/${id}/ledger?limit=20`,
  (id) => `/referrals/${id}/stats`,
  () => '/leaderboard?period=daily',
  () => '/leaderboard/me',
  () => '/stats',
];

/** A user with a referral code. */
export type Inviter = Newcomer & { code: string };

/** Readers, claimers, newcomers and savers. Each act has its own schedule, whatever the others take. */
export class Mix {
  readonly origin: string;
  readonly failures: string[] = [];
  /** Users with running nodes. */
  people: Newcomer[] = [];
  calls = 0;
  /** Number of retries of each failed call, by its message without ids. */
  readonly retriedBy = new Map<string, number>();
  /** Ids of users who have claimed a check-in, or tried to. */
  readonly claimed = new Set<string>();
  /** Ids of friends by their inviter's id. */
  readonly friendsOf = new Map<string, string[]>();
  readonly #gateways: readonly string[];
  readonly #retries: number;
  readonly #retryAfterMs: number;
  readonly #signIn: typeof signIn;
  #hosts: Inviter[] = [];
  #claimers: Newcomer[] = [];
  readonly #timers: (NodeJS.Timeout | undefined)[] = [];
  readonly #under = new Set<Promise<unknown>>();
  #stopped = false;
  #arrived = 0;

  /**
   * @param origin where users sign in
   * @param how `alsoAt`: more gateways, used in turn; `retries` and `retryAfterMs` of calls that failed temporarily;
   * `signIn`: replaces the stand-in of a local system
   */
  constructor(
    origin: string,
    how: { alsoAt?: string[]; retries?: number; retryAfterMs?: number; signIn?: typeof signIn } = {},
  ) {
    const { alsoAt = [], retries = 0, retryAfterMs = RETRY_AFTER_MS } = how;
    this.origin = origin;
    this.#gateways = [origin, ...alsoAt];
    this.#retries = retries;
    this.#retryAfterMs = retryAfterMs;
    this.#signIn = how.signIn ?? signIn;
  }

  /**
   * Signs in the readers, claimers and future savers.
   * @param referrers inviter of each saver, by index
   */
  async prepare(referrers: readonly (number | null)[]): Promise<void> {
    const arrive = (name: string, inviter?: Inviter) => this.#arrive(3.5, name, inviter);
    const all = (count: number, name: string) =>
      inParallel([...Array(count).keys()], LANES, (n) => arrive(`${name}.${n}`));
    this.#hosts = await inParallel(await all(HOSTS, 'host'), LANES, withCode);
    this.#claimers = await all(CLAIMERS, 'claimer');
    const isFirst = (referrer: number | null) => referrer === null;
    const first = await all(referrers.filter(isFirst).length, 'saver');
    const inviters = await inParallel(first, LANES, withCode);
    const invited = referrers.filter((referrer) => referrer !== null);
    const friends = await inParallel(invited, LANES, (referrer, n) => arrive(`friend.${n}`, inviters[referrer]));
    this.people = [...first, ...friends];
  }

  /** Number of retried calls. @param of part of their messages */
  retried(of = ''): number {
    return [...this.retriedBy].reduce((sum, [message, count]) => sum + (message.includes(of) ? count : 0), 0);
  }

  /** Starts everything but the nodes. */
  begin(): void {
    let came = 0;
    const readers = [...this.#hosts, ...this.#claimers];
    this.every(READ_EVERY_MS, 0, (n) => {
      const [person, path] = [readers[n % readers.length], READS[n % READS.length]];
      if (!person || !path) throw new Error('no user can make a read call');
      return call(person, 'GET', path(person.id));
    });
    this.every(CLAIM_EVERY_MS, 0, (n) => {
      const claimer = this.#claimers[n];
      if (!claimer) throw new Error('no user is left who can claim');
      this.claimed.add(claimer.id);
      return call(claimer, 'POST', '/daily-checkin/perform', {});
    });
    this.every(SIGN_IN_EVERY_MS, CLAIM_EVERY_MS / 2, async (n) => {
      came += 1;
      // Every second newcomer has a friend's code.
      const host = n % 2 === 0 ? this.#hosts[(n / 2) % HOSTS] : undefined;
      this.#claimers.push(await this.#arrive(1.5, `new.${came}`, host));
    });
  }

  async #arrive(years: number, name: string, inviter?: Inviter): Promise<Newcomer> {
    const who = { years, username: `load.${name}`, referralCode: inviter?.code };
    const person = await this.#signIn(this.origin, who);
    if (inviter) this.friendsOf.set(inviter.id, [...(this.friendsOf.get(inviter.id) ?? []), person.id]);
    const origin = this.#gateways[this.#arrived++ % this.#gateways.length] ?? this.origin;
    return { ...person, origin };
  }

  /** Starts every node, and its regular saves. */
  async startNodes(): Promise<void> {
    await inParallel(this.people, LANES, async (person, n) => {
      const node = await this.#counted(() => call(person, 'POST', `/users/${person.id}/mining/start`, {}));
      const path = `/users/${person.id}/mining/${node.id}/save`;
      const save = () => call(person, 'POST', path, { earningsToAdd: 0.08 });
      this.every(SAVE_EVERY_MS, (n / this.people.length) * SAVE_EVERY_MS, save);
    });
  }

  /** Stops every node. */
  stopNodes(): Promise<unknown> {
    const stop = (person: Newcomer) =>
      this.#counted(() => call(person, 'POST', `/users/${person.id}/deactivate-node`, {}));
    return inParallel(this.people, LANES, stop);
  }

  /** Ends everything but the nodes, and waits for running calls. */
  async end(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#under);
  }

  /** Repeats an act every `ms`, first after `offsetMs`, however long each takes; `begin` starts those of users. */
  every(ms: number, offsetMs: number, act: (n: number, tries: number) => Promise<unknown>) {
    const beganMs = performance.now() + offsetMs;
    const next = (n: number) => {
      if (this.#stopped) return;
      const timer = setTimeout(
        () => {
          const done = this.#counted(async (tries) => act(n, tries)).catch(() => undefined);
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

  async #counted<T>(work: (tries: number) => Promise<T>): Promise<T | undefined> {
    this.calls += 1;
    for (let tries = 1; ; tries += 1) {
      try {
        return await work(tries);
      } catch (thrown) {
        const error = thrown as Error & { status?: number };
        // The first attempt had succeeded, but its response was lost.
        if (tries > 1 && error.status === 409) return undefined;
        if (tries > this.#retries || !isRetryable(error)) {
          this.failures.push(`${new Date().toISOString()} ${error.message}`);
          throw error;
        }
        const message = error.message.replaceAll(IDS, ':id');
        this.retriedBy.set(message, (this.retriedBy.get(message) ?? 0) + 1);
        await sleep(this.#retryAfterMs);
      }
    }
  }
}

/** Whether a retry may succeed: any failure but a final refusal. */
const isRetryable = ({ status }: { status?: number }) => status === undefined || status >= 500 || status === 429;

/** Waits for a user's code: in a system just started, a service may not know the user yet. @throws {Error} after ten seconds */
export async function withCode(person: Newcomer): Promise<Inviter> {
  const code = await until<string>(
    `${person.username} has a code`,
    async () => (await call(person, 'GET', `/referrals/${person.id}/stats`)).referralCode,
    CODE_MS_MAX,
  );
  return { ...person, code };
}
