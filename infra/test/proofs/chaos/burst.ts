import type { Checks } from '../../kit/checks.ts';
import { call, inParallel, type Newcomer, signIn } from '../../kit/people.ts';
import { judge, type Saver, shownMicro, sumsOf, untilDone } from './load.ts';

const CALLS = 200;
/** All calls run at once, so a response may be written while another call is still being relayed. */
const AT_ONCE = CALLS;
/** The first check-in pays 50 + 5 CORD; in micro-CORD. */
const CHECK_IN_MICRO = 55_000_000n;

/** A user who sends all calls at once while something is killed: starts, stops, saves, and one claim. */
export class Burster {
  answered = 0;
  failures = 0;
  readonly person: Newcomer;

  static async signIn(origin: string, username: string): Promise<Burster> {
    return new Burster(await signIn(origin, { years: 3.5, username }));
  }

  constructor(person: Newcomer) {
    this.person = person;
  }

  async burst(): Promise<void> {
    const { person } = this;
    const { id: sessionId } = await untilDone(() => call(person, 'POST', `/users/${person.id}/mining/start`, {}));
    const acts = [
      () => call(person, 'POST', `/users/${person.id}/deactivate-node`, {}),
      () => call(person, 'POST', `/users/${person.id}/activate-node`, {}),
      () => call(person, 'POST', `/users/${person.id}/mining/${sessionId}/save`, { earningsToAdd: 1 }),
    ];
    await inParallel([...Array(CALLS).keys()], AT_ONCE, async (n) => {
      try {
        await (n === CALLS / 2 ? this.#checkIn() : acts[n % acts.length]?.());
        this.answered += 1;
      } catch {
        this.failures += 1;
      }
    });
  }

  #checkIn() {
    return call(this.person, 'POST', '/daily-checkin/perform', {});
  }

  /**
   * Stops the node and claims again.
   * @returns the errors in the user's sums, or null
   */
  async judge(): Promise<string | null> {
    const { person } = this;
    await untilDone(() => call(person, 'POST', `/users/${person.id}/deactivate-node`, {}));
    await untilDone(() => this.#checkIn()).catch((error: { status?: number }) => {
      if (error.status !== 409) throw error;
    });
    // A claim whose response was lost is soon paid by a sweeper.
    const { ledger, shown } = await untilDone(async () => {
      const seen = await sumsOf(person);
      if (!seen.bySource.has('checkin')) throw new Error('the check-in is not paid yet');
      return { ledger: seen, shown: await shownMicro(person) };
    });
    const checkin = ledger.bySource.get('checkin');
    if (checkin !== CHECK_IN_MICRO) return `${person.username}: ${checkin} credited for one check-in`;
    return shown === ledger.micro ? null : `${person.username}: shown ${shown}, entries ${ledger.micro}`;
  }
}

/** Stops everybody, checks what was due to each, and prints the number of successful calls. */
export async function settle(checks: Checks, savers: readonly Saver[], bursters: readonly Burster[]): Promise<void> {
  const sessions = await inParallel(savers, 16, (saver) => saver.stop());
  const wrong = await inParallel(savers, 8, ({ person }, index) => judge(person, sessions[index]));
  checks.add('every user has exactly rate x time', wrong);
  const lost = await inParallel(bursters, 4, (burster) => burster.judge());
  checks.add('a burst of 200 calls loses and doubles no entry', lost);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const saves = `${sum(savers.map((saver) => saver.saves))} saves succeeded`;
  console.log(`${saves}, ${sum(savers.map(({ failures }) => failures))} failed while something was down`);
  const calls = `${sum(bursters.map(({ answered }) => answered))} calls of bursts succeeded`;
  console.log(`${calls}, ${sum(bursters.map(({ failures }) => failures))} did not`);
}
