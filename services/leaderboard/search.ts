import { setImmediate as turn } from 'node:timers/promises';
import type { Period } from '@cord/contracts/http/leaderboard';
import { unavailable } from '@cord/kit/problem';
import pLimit from 'p-limit';
import type { Board } from './domain/board.js';

/** How much a search may do at a time. A slice is some tenths of a millisecond; of a million miners a search is some hundred of them. */
const BOUNDS = {
  /** Ranks or names looked at before the process may do something else, at least 1. */
  ranks: 2_000,
  /** Searches that go on side by side, at least 1; the others wait. */
  running: 2,
  /** Searches that run or wait, at least 1; more are refused. */
  waiting: 64,
};
/** Slices overlap, so that two who change places at their border are both seen. */
const OVERLAP = 16;

/** What a search looks at. */
type Looked = Pick<Board, 'ranked' | 'named' | 'entriesOf' | 'sharing' | 'namedOf'>;

/**
 * Searches over all miners: anybody may search without a sign-in, so that a search must cost little and hold up nothing. A
 * text that many hold is found from the first rank on; one that few hold, among those who share its rarest two characters:
 * never more is looked at than twice as many as these. All of it in slices; the same query that comes twice at once is
 * answered once.
 */
export function createSearches(board: Looked, bounds = BOUNDS) {
  const inTurn = pLimit(bounds.running);
  const pending = new Map<string, Promise<Set<string>>>();

  /** From the first rank on, `most` ranks at the most. */
  const walk = async (wanted: string, period: Period, limit: number, most: number): Promise<Set<string>> => {
    const found = new Set<string>();
    for (let from = 1; from <= Math.min(most, board.ranked(period)) && found.size < limit; from += bounds.ranks) {
      if (from > 1) await turn();
      const first = Math.max(1, from - OVERLAP);
      for (const userId of board.named(wanted, period, first, from + bounds.ranks - first)) {
        if (found.size < limit) found.add(userId);
      }
    }
    return found;
  };
  /** Among some users. */
  const pick = async (wanted: string, period: Period, limit: number, among: readonly string[]) => {
    const found: ReturnType<Looked['namedOf']> = [];
    for (let from = 0; from < among.length; from += bounds.ranks) {
      if (from > 0) await turn();
      found.push(...board.namedOf(among.slice(from, from + bounds.ranks), wanted, period));
    }
    found.sort((a, b) => a.rank - b.rank);
    return new Set(found.slice(0, limit).map(({ userId }) => userId));
  };
  const search = async (wanted: string, period: Period, limit: number): Promise<Set<string>> => {
    const among = board.sharing(wanted);
    if (among === null || among.length >= board.ranked(period)) return walk(wanted, period, limit, Infinity);
    // As they are now: who gets another name meanwhile leaves the list, and its last one takes that place.
    const sharing = [...among];
    const first = await walk(wanted, period, limit, sharing.length);
    return first.size < limit ? pick(wanted, period, limit, sharing) : first;
  };
  return {
    /**
     * Up to `limit` ranked miners whose name holds the text in any case, by rank.
     * @throws Problem 503 when too many search at once
     */
    async find(text: string, period: Period, limit: number, nowMs: number) {
      const wanted = text.toLowerCase();
      const question = `${period}|${limit}|${wanted}`;
      let answer = pending.get(question);
      if (!answer) {
        if (pending.size >= bounds.waiting) throw unavailable('search-busy', 'Too many searches. Please try again.', 2);
        answer = inTurn(() => search(wanted, period, limit));
        pending.set(question, answer);
        const forget = () => pending.delete(question);
        void answer.then(forget, forget);
      }
      return board.entriesOf(await answer, period, nowMs);
    },
  };
}
