import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, call, type Signed, signInByBearer } from '../../../e2e/api/client.js';

const TRY_MS_MAX = 180_000;
const CALL_MS_MAX = 45_000;
const NEXT_MS = 50;
/** Share of newcomers with a code, and of those who delete the account. */
const WITH_CODE = 0.7;
const DELETES = 0.2;
const AGES = [0.3, 1.5, 2.5, 5.5, 8.5];
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A user of the load, with the sign-in time by a clock that nobody moves. */
export interface Person {
  signed: Signed;
  /** Time just before the sign-in, ms. */
  cameAtMs: number;
  years: number;
  /** Owner of the user's referral code. */
  referrerId: string | null;
  deleted: boolean;
  /** Accepted acts. */
  done: string[];
}

/** Calls the API. Null without a response in time. */
async function answered(signed: Signed, method: Method, path: string, body?: object): Promise<Answer | null> {
  const given = body === undefined ? {} : { body };
  const late = sleep(CALL_MS_MAX, null, { ref: false });
  return Promise.race([call(signed, { method, path }, given), late]).catch(() => null);
}

/** Whether a response is final, not to be retried. */
const isFinal = (answer: Answer): boolean => answer.status < 500 && answer.status !== 429;

/** Retries until there is a final response. @throws Error when none comes in time */
export async function settled(signed: Signed, method: Method, path: string, body?: object): Promise<Answer> {
  for (const endMs = performance.now() + TRY_MS_MAX; ; await sleep(200)) {
    const answer = await answered(signed, method, path, body);
    if (answer && isFinal(answer)) return answer;
    if (performance.now() > endMs)
      throw new Error(
        `${method} ${path}: no final response, the last was ${answer?.status} ${JSON.stringify(answer?.body)}`,
      );
  }
}

/** Newcomers who sign in continuously, with or without codes, mine, claim, and sometimes delete the account. */
export class Crowd {
  readonly people: Person[] = [];
  /** Calls without a final response because a process was paused. */
  unanswered = 0;
  /** Failed sign-ins. */
  lost = 0;
  #ended = false;
  #lanes: Promise<void>[] = [];

  /** @param codes of permanent users, by id @param trueMs a clock that nobody moves */
  constructor(
    readonly origin: string,
    readonly codes: ReadonlyMap<string, string>,
    readonly trueMs: () => number,
  ) {}

  start(lanes: number): void {
    this.#lanes = Array.from({ length: lanes }, () => this.#lane());
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#lanes);
  }

  async #lane(): Promise<void> {
    while (!this.#ended) {
      const person = await this.#come().catch(() => null);
      if (person === null) this.lost += 1;
      else await this.#live(person);
      await sleep(NEXT_MS);
    }
  }

  async #come(): Promise<Person> {
    const [referrerId = null, code] = Math.random() < WITH_CODE ? pick([...this.codes]) : [];
    const [years, cameAtMs] = [pick(AGES), this.trueMs()];
    const late = sleep(CALL_MS_MAX, undefined, { ref: false }).then(() =>
      Promise.reject(new Error('no sign-in in time')),
    );
    const signed = await Promise.race([signInByBearer(this.origin, years, code), late]);
    const person: Person = { signed, cameAtMs, years, referrerId, deleted: false, done: [] };
    this.people.push(person);
    return person;
  }

  async #live(person: Person): Promise<void> {
    const { userId, username } = person.signed;
    const acts: [string, Method, string, object?][] = [
      ['start', 'POST', `/users/${userId}/mining/start`, {}],
      ['compensation', 'POST', '/compensation/claim', { userId }],
      ['check-in', 'POST', '/daily-checkin/perform', {}],
      ['visit', 'POST', `/users/${userId}/tasks/follow-x/visit`, {}],
      ['early-adopter', 'POST', `/users/${userId}/tasks/early-adopter/complete`, {}],
      ['look', 'GET', `/users/${userId}/mining/current`],
      ['follow-x', 'POST', `/users/${userId}/tasks/follow-x/complete`, {}],
      ['look', 'GET', `/users/${userId}/mining/current`],
    ];
    // Two requests at a time, like a page that has just opened.
    for (let n = 0; n < acts.length; n += 2)
      await Promise.all(acts.slice(n, n + 2).map(([name, ...rest]) => this.#act(person, name, ...rest)));
    if (this.codes.has(userId) || Math.random() >= DELETES) return;
    await this.#act(person, 'delete', 'DELETE', `/users/${userId}`, { confirm: username });
    // Set whatever the response: the call may have succeeded.
    person.deleted = true;
  }

  async #act(person: Person, name: string, method: Method, path: string, body?: object): Promise<void> {
    const answer = await answered(person.signed, method, path, body);
    if (!answer || !isFinal(answer)) this.unanswered += 1;
    else if (answer.status < 300) person.done.push(name);
  }
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
