import { setTimeout as sleep } from 'node:timers/promises';
import { CARRY_UNIT } from '../../../../services/contracts/rules/rate.ts';
import { type EpochTable, epochAt, NO_EPOCHS } from '../../../../services/mining/ledger/epochs.ts';
import { call, ledgerOf, type Newcomer } from '../../kit/people.ts';

/** Maximum attempts of a call, about a minute in all: a busy machine must not fail it. */
const TRIES_MAX = 160;
const REST_MS_MAX = 60_000;

/** A session in the history of a node. */
interface Session {
  id: string;
  status: string;
  startedAt: string;
  creditedUntil: string;
  rateNano: string;
}

type Failed = Error & { status?: number; type?: string; cause?: { code?: string } };

/** The kind of a failure, without details of the single call. */
const kindOf = ({ status, type, name, cause, message }: Failed) =>
  status === undefined ? `${name} ${cause?.code ?? message}` : `${status} ${type ?? 'without a type'}`;

/** Retries a call until it succeeds; final refusals (4xx) are thrown at once. */
export async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const { status = 0 } = error as { status?: number };
      if (tries === TRIES_MAX || (status >= 400 && status < 500 && status !== 429)) throw error;
      await sleep(250 + Math.random() * 250);
    }
  }
}

/** A user who saves continuously until stopped; failed calls are only counted. */
export class Saver {
  saves = 0;
  /** Number of failed saves, by status and type, or by connection error. */
  readonly failedBy = new Map<string, number>();
  #stopping = false;
  #done: Promise<void> = Promise.resolve();
  readonly person: Newcomer;
  readonly #everyMs: number;
  #session: Session | undefined;

  constructor(person: Newcomer, everyMs: number) {
    this.person = person;
    this.#everyMs = everyMs;
  }

  get failures(): number {
    return [...this.failedBy.values()].reduce((sum, count) => sum + count, 0);
  }

  async start(): Promise<void> {
    this.#session = await untilDone(() => call(this.person, 'POST', `/users/${this.person.id}/mining/start`, {}));
    this.#done = this.#run();
  }

  async #run() {
    const path = `/users/${this.person.id}/mining/${this.#session?.id}/save`;
    while (!this.#stopping) {
      await sleep(this.#everyMs * (0.5 + Math.random()));
      try {
        await call(this.person, 'POST', path, { earningsToAdd: 999_999 });
        this.saves += 1;
      } catch (error) {
        const kind = kindOf(error as Failed);
        this.failedBy.set(kind, (this.failedBy.get(kind) ?? 0) + 1);
      }
    }
  }

  /** Starts no further save. */
  rest(): void {
    this.#stopping = true;
  }

  /**
   * Stops saving and the node.
   * @returns the ended session
   */
  async stop(): Promise<Session> {
    this.rest();
    await this.#done;
    await untilDone(() => call(this.person, 'POST', `/users/${this.person.id}/deactivate-node`, {}));
    const [session] = await untilDone(() =>
      call(this.person, 'GET', `/users/${this.person.id}/mining/history?limit=1`),
    );
    return session;
  }
}

/** Returns the user's own displayed balance, in micro-CORD. Retries while it is unknown because mining does not respond. */
export function shownMicro(person: Newcomer): Promise<bigint> {
  return untilDone(async () => {
    const { user } = await call(person, 'GET', '/auth/me');
    if (user.current_balance === null) throw new Error(`the balance of ${person.username} is unknown`);
    return BigInt(Math.round(user.current_balance * 1e6));
  });
}

/**
 * Computes the amount due to a session: floor of rate x time (services/mining/ledger/README.md#accrual), micro-CORD.
 * @param epochs the table, if it changed meanwhile: the rate is that at the end, scaled by epoch
 */
export function dueMicro(session: Session, epochs: EpochTable = NO_EPOCHS): bigint {
  const endMs = Date.parse(session.creditedUntil);
  const last = epochAt(epochs, endMs - 1).hundredths;
  let units = 0n;
  for (let ms = Date.parse(session.startedAt); ms < endMs; ) {
    const { hundredths, untilMs } = epochAt(epochs, ms);
    const until = Math.min(untilMs, endMs);
    units += ((BigInt(session.rateNano) * hundredths) / last) * BigInt(until - ms);
    ms = until;
  }
  return units / CARRY_UNIT;
}

/** Sums a user's ledger entries and open amount by source, in micro-CORD. */
export async function sumsOf(person: Newcomer): Promise<{ micro: bigint; bySource: Map<string, bigint> }> {
  const { entries, openMicro } = await ledgerOf(person.id, (path) => untilDone(() => call(person, 'GET', path)));
  const bySource = new Map<string, bigint>();
  let sum = 0n;
  for (const { source, micro } of [...entries, { source: 'mining', micro: openMicro }]) {
    bySource.set(source, (bySource.get(source) ?? 0n) + micro);
    sum += micro;
  }
  return { micro: sum, bySource };
}

/**
 * Checks that a user has mined exactly rate x time, and that the shown balance is the sum of the entries.
 * @param epochs as in `dueMicro`
 * @returns what is wrong, or null
 */
export async function judge(
  person: Newcomer,
  session: Session | undefined,
  epochs: EpochTable = NO_EPOCHS,
): Promise<string | null> {
  if (!session) return `${person.username}: no session`;
  const ledger = await sumsOf(person);
  const due = dueMicro(session, epochs);
  const mined = ledger.bySource.get('mining') ?? 0n;
  const shown = await shownMicro(person);
  if (session.status !== 'ended') return `${person.username}: the session is ${session.status}`;
  if (mined !== due) return `${person.username}: mined ${mined}, expected ${due}`;
  return shown === ledger.micro ? null : `${person.username}: shown ${shown}, entries ${ledger.micro}`;
}

/** Like `judge`, for a user whose node is stopped; waits up to a minute for work in progress. */
export async function judgeAtRest(
  person: Newcomer,
  session: Session | undefined,
  epochs: EpochTable = NO_EPOCHS,
): Promise<string | null> {
  let wrong = await judge(person, session, epochs);
  for (const endMs = performance.now() + REST_MS_MAX; wrong !== null && performance.now() < endMs; await sleep(1_000))
    wrong = await judge(person, session, epochs);
  return wrong;
}
