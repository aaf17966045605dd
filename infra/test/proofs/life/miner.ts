import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, chanceOf } from '../../../../services/kit/testing/simulation/random.ts';
import { call, ledgerOf, makeAccount, type Newcomer, signInAgain } from '../../kit/people.ts';
import { until } from '../../kit/until.ts';

/** Maximum retry time of a call while something is down, ms. */
const TRY_MS_MAX = 150_000;
const YOUNGEST_YEARS = 0.2;
const OLDEST_YEARS = 9;
const SOCIAL = ['follow-x', 'join-discord', 'join-telegram'];
const OTHER = ['mine-1-hour', 'weekly-mining', 'invite-friends', 'early-adopter', 'social-media-master'];

/** Sources whose sum before the link is the commission baseline. */
const COMMISSION_SOURCES = new Set(['mining', 'task', 'checkin']);

/** The result of a call. `sure`: no earlier attempt may have succeeded too. */
interface Answer {
  ok: boolean;
  sure: boolean;
  body: Awaited<ReturnType<typeof call>>;
  type?: string;
}

/** One user who acts at random and records the responses. */
export class Miner {
  person: Newcomer | null = null;
  /** Number of accepted calls by purpose; lost responses count in `unsure`. */
  readonly done = new Map<string, number>();
  readonly unsure = new Map<string, number>();
  refused = 0;
  calls = 0;
  /** Set when linked with the node off. The baseline is the earlier sum of mining, tasks and check-ins, micro-CORD. */
  link: { referrerId: string; baselineMicro: bigint } | null = null;
  readonly username: string;
  readonly origin: string;
  readonly random: Chance;
  readonly #others: readonly Miner[];
  #session: { id: string } | null = null;

  constructor(index: number, seed: number, origin: string, others: readonly Miner[]) {
    this.random = chanceOf(seed * 7_919 + index);
    this.origin = origin;
    this.#others = others;
    this.username = `life.${index}`;
  }

  /** The user, once signed in. */
  get here(): Newcomer {
    if (!this.person) throw new Error(`${this.username} has not arrived`);
    return this.person;
  }

  get id(): string {
    return this.here.id;
  }

  /** Signs in for the first time, perhaps with a friend's code. */
  async arrive(): Promise<void> {
    const friend = this.random.next() < 0.6 ? this.#someone() : null;
    const code = friend ? await friend.code() : undefined;
    const years = YOUNGEST_YEARS + this.random.next() * (OLDEST_YEARS - YOUNGEST_YEARS);
    const { origin, username } = this;
    const accountId = await this.#until('has an account', () => makeAccount(origin, { years, username }));
    // Each attempt signs in to the same account, so there is one user.
    const person = await this.#until('signs in', () => signInAgain(origin, accountId, code));
    this.person = { ...person, accountId, username };
    if (!friend) return;
    this.link = { referrerId: friend.id, baselineMicro: 0n };
    // The node starts after the link, so that nothing is earned before it.
    await this.#until('is linked', async () => (await this.#stats()).referredBy);
  }

  code(): Promise<string> {
    return this.#until('has a code', async () => (await this.#stats()).referralCode);
  }

  /** Acts at random for one round. */
  async live(): Promise<void> {
    if (this.random.next() >= 0.7) return;
    await this.mine();
    if (this.random.next() < 0.6) await this.checkIn();
    if (this.random.next() < 0.5) await this.doTask();
    if (this.random.next() < 0.06) await this.claim('compensation', '/compensation/claim');
    if (this.random.next() < 0.02) await this.claim('cordclaim', '/cord-claims/claim');
    if (this.random.next() < 0.1) await this.enterCode();
    if (this.random.next() < 0.2) await this.stop();
  }

  async mine(): Promise<void> {
    const current = (await this.request('GET', `/users/${this.id}/mining/current`)).body;
    if (current?.status !== 'active') {
      const path = this.random.pick([`/users/${this.id}/mining/start`, '/mining/start']);
      const { body } = await this.request('POST', path, {});
      this.#session = body;
    } else this.#session = current;
    for (let saves = this.random.int(3); saves > 0; saves -= 1) {
      await this.request('POST', `/users/${this.id}/mining/${this.#session?.id}/save`, { earningsToAdd: 999_999 });
    }
  }

  async stop(): Promise<void> {
    const stops = [`/users/${this.id}/deactivate-node`, '/mining/stop'];
    if (this.#session) stops.push(`/mining/${this.#session.id}/end`);
    const path = this.random.pick(stops);
    await this.request('POST', path, path.endsWith('/end') ? { finalEarnings: 999_999 } : {});
  }

  /** Checks in, sometimes twice at once. */
  async checkIn(): Promise<void> {
    const times = this.random.next() < 0.2 ? 2 : 1;
    const body = { userId: this.id };
    await Promise.all(Array.from({ length: times }, () => this.#reward('checkin', '/daily-checkin/perform', body)));
  }

  async doTask(): Promise<void> {
    const taskId = this.random.pick(this.random.next() < 0.4 ? SOCIAL : OTHER);
    const path = `/users/${this.id}/tasks/${taskId}`;
    if (SOCIAL.includes(taskId) && this.random.next() < 0.7) await this.request('POST', `${path}/visit`, {});
    const complete = this.random.next() < 0.5 ? `${path}/complete` : `/tasks/${taskId}/complete`;
    const times = this.random.next() < 0.1 ? 2 : 1;
    await Promise.all(
      Array.from({ length: times }, () => this.#reward(`task:${taskId}`, complete, { rewardAmount: 1e6 })),
    );
  }

  async claim(name: string, path: string): Promise<void> {
    await this.#reward(name, path, { userId: this.id });
  }

  /** Enters a friend's code late: earlier earnings do not count. Some codes are the user's own, or close a cycle. */
  async enterCode(): Promise<void> {
    const friend = this.#someone();
    if (!friend) return;
    const code = await friend.code();
    // A linked user is refused in any case, whatever the baseline.
    if (!this.link) await this.request('POST', `/users/${this.id}/deactivate-node`, {});
    const baselineMicro = this.link ? 0n : await this.#eligibleMicro();
    const { ok, sure, type } = await this.request('POST', '/referrals/process', {
      userId: this.id,
      referralCode: code,
    });
    if (ok || (!sure && type === 'already-referred' && !this.link)) {
      this.link = { referrerId: friend.id, baselineMicro };
    }
  }

  /** Retries a call until it gets a response. */
  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    let sure = true;
    for (const endMs = performance.now() + TRY_MS_MAX; ; ) {
      this.calls += 1;
      try {
        return { ok: true, sure, body: await call(this.here, method, path, body) };
      } catch (thrown) {
        const error = thrown as { status?: number; type?: string };
        const status = error.status ?? 0;
        if (status === 401 || error.type === 'sign-in-too-old') {
          await this.signInAgain();
          continue;
        }
        const final = status >= 400 && status < 500 && status !== 429;
        if (final) {
          this.refused += 1;
          return { ok: false, sure, body: null, ...(error.type && { type: error.type }) };
        }
        if (performance.now() > endMs) throw thrown;
        sure = false;
        await sleep(200 + Math.random() * 400);
      }
    }
  }

  async signInAgain(): Promise<void> {
    const fresh = await this.#until('signs in', () => signInAgain(this.origin, this.here.accountId));
    this.person = { ...this.here, token: fresh.token };
  }

  /** Makes a call that pays at most once, and counts it by its response. */
  async #reward(name: string, path: string, body: object) {
    const { ok, sure } = await this.request('POST', path, body);
    if (ok) this.done.set(name, (this.done.get(name) ?? 0) + 1);
    else if (!sure) this.unsure.set(name, (this.unsure.get(name) ?? 0) + 1);
  }

  /** Requires a stopped node: all mining is then in entries, and the open rest is commission, which does not count. */
  async #eligibleMicro() {
    const { entries } = await ledgerOf(this.id, async (path) => (await this.request('GET', path)).body);
    return entries.reduce((sum, { micro, source }) => sum + (COMMISSION_SOURCES.has(source) ? micro : 0n), 0n);
  }

  #someone() {
    const here = this.#others.filter(({ person }) => person !== null);
    return here.length > 0 ? this.random.pick(here) : null;
  }

  async #stats() {
    return (await this.request('GET', `/referrals/${this.id}/stats`)).body;
  }

  /** Polls, with retries while something is down. */
  #until<T>(what: string, look: () => Promise<T>) {
    return until(`${this.username} ${what}`, look, TRY_MS_MAX);
  }
}
