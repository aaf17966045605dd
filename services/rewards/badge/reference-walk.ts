import type { WalletNetwork } from '../chain/wallet-network.js';
import type { Walk } from '../domain/orders.js';

/** How much one look may do; the rest is done by the next looks, which go on from the stored place. */
export type WalkBounds = typeof WALK_BOUNDS;

/** The most that the network gives at a time; a look of 4,000 signatures; 20 transactions to be read. */
export const WALK_BOUNDS = {
  /** Signatures requested at a time, at least 2: pages overlap by one. */
  page: 1_000,
  /** Pages requested in one look, at least 1. */
  pages: 4,
  /** Signatures judged in one look, and undecided ones that are kept in mind, at least 1. */
  judged: 20,
};

export const WALK_START: Walk = { floor: null, above: null, undecided: [] };

/** What one step found, and how far it went. */
export interface WalkStep {
  /** To be judged now, oldest first. */
  readonly found: readonly string[];
  /** The next of `found` is judged, or is kept in mind as undecided. */
  passed(signature: string, undecided: boolean): void;
  /** The place to be stored. */
  walk(): Walk;
  /** Whether more is known to wait that one look could not take in. */
  more(): boolean;
  /** Whether all that the network lists is judged: nothing waits, none is undecided. */
  isAllJudged(): boolean;
}

/**
 * One step of the walk over every transaction that names a reference, oldest first, however many there are: anybody may name a reference
 * that stands on the chain, and a payment must not be hidden by what came after it. The network lists the newest first, so a step goes
 * down from the top to what is judged already, over several looks if need be, and takes the lowest from there.
 * @throws NetworkAway, Unreadable
 */
export async function nextStep(
  network: Pick<WalletNetwork, 'signaturesOf'>,
  reference: string,
  walk: Walk,
  { page, pages, judged }: WalkBounds,
): Promise<WalkStep> {
  const room = Math.max(0, judged - walk.undecided.length);
  /** Newest first. */
  const listed: string[] = [];
  let { above } = walk;
  for (let n = 0; n < pages; n += 1) {
    const answer = await network.signaturesOf(reference, { before: above?.before ?? null, limit: page });
    // Each page begins with the last of the one above it, so that a node without the place is distinguished from the end of the
    // list. Then the walk goes down from the top again; what is judged stays judged.
    if (above && answer[0] !== above.last) return nothingFound({ ...walk, above: null }, true);
    const fresh = n > 0 ? answer.slice(1) : answer;
    const floorAt = walk.floor === null ? -1 : fresh.indexOf(walk.floor);
    listed.push(...(floorAt === -1 ? fresh : fresh.slice(0, floorAt)));
    if (floorAt !== -1 || answer.length < page) return lowest(walk, listed, room);
    above = { ...above, before: answer.at(-2) as string, last: answer.at(-1) as string };
  }
  return nothingFound({ ...walk, above }, true);
}

/** The floor is not reached. @param more whether the way to it goes on in the next look */
export function nothingFound(walk: Walk, more: boolean): WalkStep {
  return { found: [], passed: () => undefined, walk: () => walk, more: () => more, isAllJudged: () => false };
}

/** @param listed all between the walk's place and its floor, newest first */
function lowest(walk: Walk, listed: readonly string[], room: number): WalkStep {
  const found = listed.slice(Math.max(0, listed.length - room)).reverse();
  let { floor } = walk;
  const undecided = [...walk.undecided];
  let passed = 0;
  const isDone = () => passed === listed.length;
  return {
    found,
    passed(signature, isUndecided) {
      floor = signature;
      passed += 1;
      if (isUndecided && !undecided.includes(signature)) undecided.push(signature);
    },
    // When this stretch is done, the next one begins at the top, where more may stand by now.
    walk: () => ({ ...walk, floor, above: isDone() ? null : walk.above, undecided }),
    more: () => (isDone() ? walk.above !== null : passed > 0 && passed === found.length),
    isAllJudged: () => isDone() && walk.above === null && undecided.length === 0,
  };
}
