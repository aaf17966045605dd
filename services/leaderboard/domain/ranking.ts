import { descending } from './order.js';

/** One place in a ranking. */
export interface Standing {
  userId: string;
  /** What the ranking counts, micro-CORD; above 0. */
  totalMicro: number;
  /** When the total was reached, ms: of two equal totals the earlier ranks first. */
  reachedAtMs: number;
}

/** Who is ranked, and where in each of several rankings: nobody needs to be looked up in any of them. */
export interface Ranked {
  readonly userId: string;
  /** By the number of the ranking; undefined where unranked. Only rankings write here. */
  readonly places: (Place<Ranked> | undefined)[];
}

/** One's standing with who stands there. */
export interface Place<R extends Ranked> extends Standing {
  readonly ranked: R;
  chunk: Chunk<R>;
}

/** A run of members in order. */
interface Chunk<R extends Ranked> {
  /** Place among the chunks. */
  index: number;
  members: Place<R>[];
}

/** A chunk splits above this many members: small enough for a cheap splice, large enough for few chunks. */
const CHUNK_MAX = 512;

/** Order of every ranking: total descending, who reached it first, userId (money.md, Rankings). */
export function compareStandings(a: Standing, b: Standing): number {
  if (a.totalMicro !== b.totalMicro) return b.totalMicro - a.totalMicro;
  if (a.reachedAtMs !== b.reachedAtMs) return a.reachedAtMs - b.reachedAtMs;
  return a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0;
}

/**
 * Exact ranks of any number of users in memory: members in order, in chunks, with a Fenwick tree over the chunk sizes.
 * A change costs a binary search over the chunks and one splice, a rank a look through one chunk and a walk of the tree.
 */
export class Ranking<R extends Ranked> {
  readonly #number: number;
  #size = 0;
  #chunks: Chunk<R>[] = [];
  /** Fenwick tree over chunk sizes, 1-based. */
  #tree: Int32Array = new Int32Array(1);

  /** @param number its own among the rankings of the same users */
  constructor(number: number) {
    this.#number = number;
  }

  /** How many users are ranked. */
  get size(): number {
    return this.#size;
  }

  /**
   * Puts a user at a total; 0 takes the user out: unranked (money.md, Rankings).
   * @throws RangeError when the total is no safe integer or negative.
   */
  set(ranked: R, standing: Standing): void {
    if (!Number.isSafeInteger(standing.totalMicro) || standing.totalMicro < 0) {
      throw new RangeError(`total of ${standing.userId} cannot be ranked: ${standing.totalMicro}`);
    }
    const present = this.#placeOf(ranked);
    if (present?.totalMicro === standing.totalMicro && present.reachedAtMs === standing.reachedAtMs) return;
    if (present) this.#take(present);
    if (standing.totalMicro > 0) this.#insert(ranked, standing);
  }

  /** Takes a user out. */
  remove(ranked: R): void {
    const present = this.#placeOf(ranked);
    if (present) this.#take(present);
  }

  /** Replaces everything at once: sorts, which is much faster than inserting one by one. */
  load(all: Iterable<R>, standingOf: (ranked: R) => Standing): void {
    for (const { ranked } of this) ranked.places[this.#number] = undefined;
    const nowhere: Chunk<R> = { index: 0, members: [] };
    const members: Place<R>[] = [];
    const totals: number[] = [];
    for (const ranked of all) {
      const { userId, totalMicro, reachedAtMs } = standingOf(ranked);
      if (totalMicro <= 0) continue;
      const member = { userId, totalMicro, reachedAtMs, ranked, chunk: nowhere };
      members.push(member);
      totals.push(totalMicro);
      ranked.places[this.#number] = member;
    }
    this.#size = members.length;
    this.#chunks = [];
    let chunk = nowhere;
    for (const place of inOrder(members, new Float64Array(totals))) {
      if (chunk === nowhere || chunk.members.length === CHUNK_MAX / 2) {
        chunk = { index: this.#chunks.length, members: [] };
        this.#chunks.push(chunk);
      }
      const member = members[place] as Place<R>;
      member.chunk = chunk;
      chunk.members.push(member);
    }
    this.#rebuildTree();
  }

  /** Rank from 1; null while unranked. */
  rankOf(ranked: R): number | null {
    const member = this.#placeOf(ranked);
    if (!member) return null;
    return this.#before(member.chunk.index) + offsetOf(member) + 1;
  }

  /** Up to `count` members from rank `from` (1-based) on, in order. */
  slice(from: number, count: number): Place<R>[] {
    const found: Place<R>[] = [];
    if (from < 1 || count < 1 || from > this.size) return found;
    let { chunkIndex, offset } = this.#locate(from - 1);
    while (found.length < count && chunkIndex < this.#chunks.length) {
      const members = this.#chunks[chunkIndex]?.members ?? [];
      for (; offset < members.length && found.length < count; offset += 1) found.push(members[offset] as Place<R>);
      chunkIndex += 1;
      offset = 0;
    }
    return found;
  }

  /** All members in order. */
  *[Symbol.iterator](): Generator<Place<R>> {
    for (const chunk of this.#chunks) yield* chunk.members;
  }

  #placeOf(ranked: R): Place<R> | undefined {
    return ranked.places[this.#number] as Place<R> | undefined;
  }

  #insert(ranked: R, { userId, totalMicro, reachedAtMs }: Standing): void {
    const chunk = this.#chunkFor({ userId, totalMicro, reachedAtMs });
    const member = { userId, totalMicro, reachedAtMs, ranked, chunk };
    chunk.members.splice(positionIn(chunk.members, member), 0, member);
    ranked.places[this.#number] = member;
    this.#size += 1;
    if (chunk.members.length > CHUNK_MAX) this.#split(chunk);
    else this.#add(chunk.index, 1);
  }

  #take(member: Place<R>): void {
    const { chunk } = member;
    chunk.members.splice(offsetOf(member), 1);
    member.ranked.places[this.#number] = undefined;
    this.#size -= 1;
    if (chunk.members.length > 0 || this.#chunks.length === 1) {
      this.#add(chunk.index, -1);
      return;
    }
    this.#chunks.splice(chunk.index, 1);
    this.#renumber();
  }

  /** The chunk in which a standing belongs: the first whose last member does not come before it. */
  #chunkFor(standing: Standing): Chunk<R> {
    if (this.#chunks.length === 0) {
      this.#chunks.push({ index: 0, members: [] });
      this.#rebuildTree();
    }
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#chunks[middle]?.members.at(-1);
      if (last && compareStandings(last, standing) >= 0) high = middle;
      else low = middle + 1;
    }
    return this.#chunks[low] as Chunk<R>;
  }

  #split(chunk: Chunk<R>): void {
    const moved = chunk.members.splice(CHUNK_MAX / 2);
    const next: Chunk<R> = { index: chunk.index + 1, members: moved };
    for (const member of moved) member.chunk = next;
    this.#chunks.splice(next.index, 0, next);
    this.#renumber();
  }

  #renumber(): void {
    for (const [index, chunk] of this.#chunks.entries()) chunk.index = index;
    this.#rebuildTree();
  }

  #rebuildTree(): void {
    this.#tree = new Int32Array(this.#chunks.length + 1);
    for (const chunk of this.#chunks) this.#add(chunk.index, chunk.members.length);
  }

  #add(chunkIndex: number, change: number): void {
    for (let node = chunkIndex + 1; node < this.#tree.length; node += node & -node) {
      this.#tree[node] = (this.#tree[node] ?? 0) + change;
    }
  }

  /** How many members stand in the chunks before this one. */
  #before(chunkIndex: number): number {
    let sum = 0;
    for (let node = chunkIndex; node > 0; node -= node & -node) sum += this.#tree[node] ?? 0;
    return sum;
  }

  /** Chunk and offset of a 0-based position. */
  #locate(position: number): { chunkIndex: number; offset: number } {
    let node = 0;
    let left = position;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.#chunks.length))); step > 0; step >>>= 1) {
      const size = this.#tree[node + step];
      if (size !== undefined && node + step < this.#tree.length && size <= left) {
        node += step;
        left -= size;
      }
    }
    return { chunkIndex: node, offset: left };
  }
}

/**
 * The places of standings in the order of a ranking: by their totals as numbers, which lie side by side, and where these are equal
 * by all the rest.
 */
function inOrder(standings: readonly Standing[], totals: Float64Array): Uint32Array {
  const order = descending(totals);
  const at = (place: number) => standings[place] as Standing;
  const totalAt = (index: number) => totals[order[index] as number];
  for (let from = 0, to = 1; from < order.length; from = to, to += 1) {
    while (to < order.length && totalAt(to) === totalAt(from)) to += 1;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareStandings(at(a), at(b)));
  }
  return order;
}

/**
 * Where a member is in its chunk: found by itself. Reading on through one list of references is cheaper than halving it, for
 * each half would fetch a member and its numbers from anywhere in memory.
 */
function offsetOf<R extends Ranked>(member: Place<R>): number {
  return member.chunk.members.indexOf(member);
}

/** Where a standing would be inserted among ordered members. */
function positionIn(members: readonly Standing[], standing: Standing): number {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareStandings(members[middle] as Standing, standing) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
