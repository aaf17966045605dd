import { setTimeout as sleep } from 'node:timers/promises';
import { CARRY_UNIT } from '../../../../services/contracts/rules/rate.ts';
import { type EpochTable, epochAt, NO_EPOCHS } from '../../../../services/mining/ledger/epochs.ts';
import { call, ledgerOf, type Newcomer } from '../../kit/people.ts';

/** With the waits between them a minute: a busy machine is no failure. */
const TRIES_MAX = 160;
const REST_MS_MAX = 60_000;

/** A session of a node as its history shows it. */
interface Session {
  id: string;
  status: string;
  startedAt: string;
  creditedUntil: string;
  rateNano: string;
}

type Failed = Error & { status?: number; type?: string; cause?: { code?: string } };

/** What a call failed of, without what is of this one call. */
const kindOf = ({ status, type, name, cause, message }: Failed) =>
  status === undefined ? `${name} ${cause?.code ?? message}` : `${status} ${type ?? 'without a type'}`;

/** Makes a call until it goes through; what the system refuses for good (4xx) is thrown at once. */
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

/** One user who saves without a pause until stopped; failed calls are counted, nothing else happens. */
export class Saver {
  saves = 0;
  /** How often a save failed, by its status and type, or by what the connection failed of. */
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

  /** Begins no other save. */
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

/** The own balance as it is shown, micro-CORD. While mining does not answer in time it is not known, and is requested again. */
export function shownMicro(person: Newcomer): Promise<bigint> {
  return untilDone(async () => {
    const { user } = await call(person, 'GET', '/auth/me');
    if (user.current_balance === null) throw new Error(`the balance of ${person.username} is not known`);
    return BigInt(Math.round(user.current_balance * 1e6));
  });
}

/**
 * What a session must have credited: floor of rate x time in exact integers (services/mining/ledger/README.md#accrual), micro-CORD.
 * @param epochs the table, where it changed while the session ran: the rate of the session is that of its end, and in proportion to the epoch
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

/** All entries of a user's ledger and what is open, micro-CORD, by source. */
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
 * Whether a user has mined exactly rate x time, and is shown the sum of the entries.
 * @param epochs as of `dueMicro`
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
  if (mined !== due) return `${person.username}: mined ${mined}, due ${due}`;
  return shown === ledger.micro ? null : `${person.username}: shown ${shown}, entries ${ledger.micro}`;
}

/** The same of somebody whose node is stopped, once what is on its way has come: a minute at the most. */
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
