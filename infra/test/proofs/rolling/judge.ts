import type { Mix } from '../../../bench/load/mix.ts';
import { advance } from '../../kit/clock.ts';
import { audit, deadLetters, driftOf } from '../../kit/cord.ts';
import { call, inParallel, type Newcomer } from '../../kit/people.ts';
import { dueMicro } from '../chaos/load.ts';
import { Books, type OfUser, sumMicro } from '../life/books.ts';

/** Maximum time for credits between services, ms; commission is paid once a minute by the movable clock. */
const REST_MS_MAX = 120_000;
const LANES = 8;
/** Sources of earnings that pay commission (services/contracts/rules/README.md#commission-and-referral-bonuses). */
const ELIGIBLE = ['mining', 'task', 'checkin'];

/** The users to check, and the failed calls. */
type Load = Pick<Mix, 'people' | 'friendsOf' | 'claimed' | 'failures'>;

/** Figures that must be 0 after everybody has stopped. */
export async function judge(
  system: { origin: string; dataDir: string },
  mix: Load,
): Promise<[name: string, value: number | string][]> {
  const books = await Books.open(system);
  try {
    let byUser: Map<string, OfUser>;
    let left: ReturnType<typeof owedIn>;
    const endMs = performance.now() + REST_MS_MAX;
    do {
      await advance(system.origin, '61s');
      byUser = await books.read();
      left = owedIn(byUser, mix);
    } while ((left.commission > 0 || left.claims > 0) && performance.now() < endMs);
    const letters = await deadLetters(system.dataDir);
    const count = /^(\d+) dead letters$/m.exec(letters)?.[1] ?? 'unknown';
    if (count !== '0') console.log(letters);
    return [
      ['failed_requests', mix.failures.length],
      ['drift_micro', driftOf(await audit(system.dataDir))],
      ['dead_letters', count],
      ['wrong_nodes', await wrongNodes(mix.people, byUser)],
      ['wrong_commissions', left.commission],
      ['unpaid_claims', left.claims],
    ];
  } finally {
    await books.close();
  }
}

/** Finds referrers without exactly a tenth of their friends' earnings, and claims not paid exactly once. */
function owedIn(byUser: Map<string, OfUser>, { friendsOf, claimed }: Load) {
  const of = (id: string, sources: readonly string[]) => {
    const own = byUser.get(id);
    return own ? sumMicro(own, sources) : 0n;
  };
  const wrong = [...friendsOf].filter(([id, friends]) => {
    const earned = friends.reduce((sum, friend) => sum + of(friend, ELIGIBLE), 0n);
    return of(id, ['commission']) !== earned / 10n;
  });
  const paid = (id: string) => (byUser.get(id)?.entries ?? []).filter(({ source }) => source === 'checkin').length;
  return { commission: wrong.length, claims: [...claimed].filter((id) => paid(id) !== 1).length };
}

/** Counts stopped nodes whose session has not earned exactly rate x time. */
async function wrongNodes(people: readonly Newcomer[], byUser: Map<string, OfUser>) {
  const minedBy = (id: string) => {
    const own = byUser.get(id);
    return own ? sumMicro(own, ['mining']) : 0n;
  };
  const wrong = await inParallel(people, LANES, async (person) => {
    const [session] = await call(person, 'GET', `/users/${person.id}/mining/history?limit=1`);
    return session.status !== 'ended' || minedBy(person.id) !== dueMicro(session);
  });
  return wrong.filter(Boolean).length;
}
