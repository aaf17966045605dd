import type { WalletNetwork } from '../chain/wallet-network.js';
import type { Walk } from '../domain/orders.js';

/** Bounds of one look; later looks continue from the stored position. */
export type WalkBounds = typeof WALK_BOUNDS;

/** The network's page limit; up to 4,000 signatures listed and 20 transactions read per look. */
export const WALK_BOUNDS = {
  /** Signatures per page, at least 2: pages overlap by one. */
  page: 1_000,
  /** Pages per look, at least 1. */
  pages: 4,
  /** Signatures judged per look, and undecided signatures remembered, at least 1. */
  judged: 20,
};

export const WALK_START: Walk = { floor: null, above: null, undecided: [] };

/** The result of one step of the walk, and its progress. */
export interface WalkStep {
  /** Signatures to judge now, oldest first. */
  readonly found: readonly string[];
  /** Marks the next signature of `found` as judged, or as undecided. */
  passed(signature: string, undecided: boolean): void;
  /** Returns the position to store. */
  walk(): Walk;
  /** Whether more transactions are known than one look could process. */
  more(): boolean;
  /** Whether every transaction that the network lists is judged. */
  isAllJudged(): boolean;
}

/**
 * Makes one step of the walk over all transactions that name a reference, oldest first. Anybody may name a reference
 * that is on the chain, and later transactions must not hide a payment. The network lists the newest first: a step
 * descends from the top to the judged part, over several looks if necessary, and takes the oldest from there.
 * @throws NetworkAway, Unreadable
 */
export async function nextStep(
  network: Pick<WalletNetwork, 'signaturesOf'>,
  reference: string,
  walk: Walk,
  { page, pages, judged }: WalkBounds,
): Promise<WalkStep> {
  const room = Math.max(0, judged - walk.undecided.length);
  /** Listed signatures, newest first. */
  const listed: string[] = [];
  let { above } = walk;
  for (let n = 0; n < pages; n += 1) {
    const answer = await network.signaturesOf(reference, { before: above?.before ?? null, limit: page });
    // Each page starts with the last signature of the previous one, which distinguishes a node that lacks the
    // position from the end of the list. The walk then restarts at the top; judged signatures stay judged.
    if (above && answer[0] !== above.last) return nothingFound({ ...walk, above: null }, true);
    const fresh = n > 0 ? answer.slice(1) : answer;
    const floorAt = walk.floor === null ? -1 : fresh.indexOf(walk.floor);
    listed.push(...(floorAt === -1 ? fresh : fresh.slice(0, floorAt)));
    if (floorAt !== -1 || answer.length < page) return lowest(walk, listed, room);
    above = { ...above, before: answer.at(-2) as string, last: answer.at(-1) as string };
  }
  return nothingFound({ ...walk, above }, true);
}

/** Returns a step that did not reach the floor. @param more whether the next look continues the descent */
export function nothingFound(walk: Walk, more: boolean): WalkStep {
  return { found: [], passed: () => undefined, walk: () => walk, more: () => more, isAllJudged: () => false };
}

/** @param listed the signatures between the walk's position and its floor, newest first */
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
    // After this stretch the walk restarts at the top, where new signatures may be listed.
    walk: () => ({ ...walk, floor, above: isDone() ? null : walk.above, undecided }),
    more: () => (isDone() ? walk.above !== null : passed > 0 && passed === found.length),
    isAllJudged: () => isDone() && walk.above === null && undecided.length === 0,
  };
}
