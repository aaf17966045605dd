import { setImmediate as turn } from 'node:timers/promises';
import type { Period } from '@cord/contracts/http/leaderboard';
import { unavailable } from '@cord/kit/problem';
import pLimit from 'p-limit';
import type { Board } from './domain/board.js';

/** Bounds of searches. A slice takes some tenths of a millisecond; a search among a million miners takes some hundred slices. */
const BOUNDS = {
  /** Ranks or names checked before the process may do something else, at least 1. */
  ranks: 2_000,
  /** Searches that run concurrently, at least 1; the others wait. */
  running: 2,
  /** Maximum number of running and waiting searches, at least 1; more are refused. */
  waiting: 64,
};
/** Slices overlap, so that two users who swap places at a border are both seen. */
const OVERLAP = 16;

/** The parts of the board that a search uses. */
type SearchedBoard = Pick<Board, 'ranked' | 'findByName' | 'entriesOf' | 'nameCandidates' | 'filterByName'>;

/**
 * Searches all miners. Anybody may search without a sign-in, so a search must be cheap and block nothing. A common
 * text is searched by rank; a rare one among the users who share its rarest two characters, so that at most twice
 * their number is checked. All work is sliced; identical concurrent queries share one search.
 */
export function createSearches(board: SearchedBoard, bounds = BOUNDS) {
  const inTurn = pLimit(bounds.running);
  const pending = new Map<string, Promise<Set<string>>>();

  /** Searches from the first rank on, at most `most` ranks. */
  const walk = async (wanted: string, period: Period, limit: number, most: number): Promise<Set<string>> => {
    const found = new Set<string>();
    for (let from = 1; from <= Math.min(most, board.ranked(period)) && found.size < limit; from += bounds.ranks) {
      if (from > 1) await turn();
      const first = Math.max(1, from - OVERLAP);
      for (const userId of board.findByName(wanted, period, first, from + bounds.ranks - first)) {
        if (found.size < limit) found.add(userId);
      }
    }
    return found;
  };
  /** Searches among some users. */
  const pick = async (wanted: string, period: Period, limit: number, among: readonly string[]) => {
    const found: ReturnType<SearchedBoard['filterByName']> = [];
    for (let from = 0; from < among.length; from += bounds.ranks) {
      if (from > 0) await turn();
      found.push(...board.filterByName(among.slice(from, from + bounds.ranks), wanted, period));
    }
    found.sort((a, b) => a.rank - b.rank);
    return new Set(found.slice(0, limit).map(({ userId }) => userId));
  };
  const search = async (wanted: string, period: Period, limit: number): Promise<Set<string>> => {
    const among = board.nameCandidates(wanted);
    if (among === null || among.length >= board.ranked(period)) return walk(wanted, period, limit, Infinity);
    // A copy of the list: a user with a new name leaves it, and its last one takes that position.
    const sharing = [...among];
    const first = await walk(wanted, period, limit, sharing.length);
    return first.size < limit ? pick(wanted, period, limit, sharing) : first;
  };
  return {
    /**
     * Returns up to `limit` ranked miners whose name contains the text in any case, by rank.
     * @throws Problem 503 with too many concurrent searches
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
