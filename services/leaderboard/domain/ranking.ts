import { sortDescending } from './order.js';

/** A run of members in order, by slot. */
interface Chunk {
  /** Index among the chunks. */
  index: number;
  members: number[];
}

/** Maximum number of members before a chunk splits: small enough for a cheap splice, large enough for few chunks. */
const CHUNK_MAX = 512;

/** The amounts that a ranking compares, by slot. */
interface Counted {
  /** Micro-CORD; 0 is unranked (services/contracts/rules/README.md#rankings). */
  micro: Float64Array;
  /** When the total was reached, ms. */
  reachedAtMs: Float64Array;
}

/**
 * Exact ranks of any number of users in memory, each identified by a slot: members in order, in chunks, with a Fenwick tree over the
 * chunk sizes. A change costs a binary search over the chunks and one splice; a rank costs a scan of one chunk and a walk of the tree.
 */
export class Ranking {
  readonly #userIdAt: (slot: number) => string;
  #size = 0;
  #chunks: Chunk[] = [];
  /** Chunk by slot; undefined while unranked. */
  #chunkOf: (Chunk | undefined)[] = [];
  /** The totals by which members are ordered, by slot. */
  #micro: Float64Array = new Float64Array();
  #reachedAtMs: Float64Array = new Float64Array();
  /** Fenwick tree over chunk sizes, 1-based. */
  #tree: Int32Array = new Int32Array(1);

  /** @param userIdAt returns the user of a slot: the lower id ranks first among equals */
  constructor(userIdAt: (slot: number) => string) {
    this.#userIdAt = userIdAt;
  }

  /** Number of ranked users. */
  get size(): number {
    return this.#size;
  }

  /**
   * Ranks a user by a total; 0 removes the user from the ranking.
   * @param reachedAtMs the earlier ranks first among equal totals
   * @throws RangeError when the total is negative or no safe integer
   */
  set(slot: number, totalMicro: number, reachedAtMs: number): void {
    if (!Number.isSafeInteger(totalMicro) || totalMicro < 0) {
      throw new RangeError(`total of ${this.#userIdAt(slot)} cannot be ranked: ${totalMicro}`);
    }
    const present = this.#chunkOf[slot];
    if (present && this.#micro[slot] === totalMicro && this.#reachedAtMs[slot] === reachedAtMs) return;
    if (present) this.#take(slot, present);
    if (totalMicro === 0) return;
    this.#grow(slot + 1);
    this.#micro[slot] = totalMicro;
    this.#reachedAtMs[slot] = reachedAtMs;
    this.#insert(slot);
  }

  /** Removes a user. */
  remove(slot: number): void {
    const present = this.#chunkOf[slot];
    if (present) this.#take(slot, present);
  }

  /** Replaces all members by sorting, which is much faster than single insertions. The ranking keeps the given arrays. */
  load({ micro, reachedAtMs }: Counted): void {
    this.#micro = micro;
    this.#reachedAtMs = reachedAtMs;
    this.#chunkOf = new Array<Chunk | undefined>(micro.length).fill(undefined);
    this.#chunks = [];
    const slots = new Uint32Array(micro.length);
    this.#size = 0;
    for (const [slot, total] of micro.entries()) if (total > 0) slots[this.#size++] = slot;
    const ordered = this.#inOrder(slots.subarray(0, this.#size));
    for (let from = 0; from < ordered.length; from += CHUNK_MAX / 2) {
      const chunk = { index: this.#chunks.length, members: Array.from(ordered.subarray(from, from + CHUNK_MAX / 2)) };
      this.#chunks.push(chunk);
      for (const slot of chunk.members) this.#chunkOf[slot] = chunk;
    }
    this.#rebuildTree();
  }

  /** Returns the rank, from 1; null while unranked. */
  rankOf(slot: number): number | null {
    const chunk = this.#chunkOf[slot];
    return chunk ? this.#before(chunk.index) + offsetOf(slot, chunk) + 1 : null;
  }

  /** Returns up to `count` members in order, starting at rank `from` (1-based). */
  slice(from: number, count: number): number[] {
    const found: number[] = [];
    if (from < 1 || count < 1 || from > this.size) return found;
    let { chunkIndex, offset } = this.#locate(from - 1);
    while (found.length < count && chunkIndex < this.#chunks.length) {
      const members = this.#chunks[chunkIndex]?.members ?? [];
      for (; offset < members.length && found.length < count; offset += 1) found.push(members[offset] as number);
      chunkIndex += 1;
      offset = 0;
    }
    return found;
  }

  /** Returns all members in order. */
  *[Symbol.iterator](): Generator<number> {
    for (const chunk of this.#chunks) yield* chunk.members;
  }

  /** Order of every ranking: total descending, who reached it first, userId. */
  #compare(a: number, b: number): number {
    const [microA, microB] = [this.#micro[a] as number, this.#micro[b] as number];
    return microA === microB ? this.#compareEqual(a, b) : microB - microA;
  }

  /** Compares two members with equal totals. */
  #compareEqual(a: number, b: number): number {
    const [reachedA, reachedB] = [this.#reachedAtMs[a] as number, this.#reachedAtMs[b] as number];
    if (reachedA !== reachedB) return reachedA - reachedB;
    const [idA, idB] = [this.#userIdAt(a), this.#userIdAt(b)];
    return idA < idB ? -1 : idA > idB ? 1 : 0;
  }

  /** Returns slots in order: sorted by their totals as adjacent numbers, then by the other criteria where these are equal. */
  #inOrder(slots: Uint32Array): Uint32Array {
    const totalOf = (slot: number) => this.#micro[slot] as number;
    const totals = new Float64Array(slots.length);
    for (const [place, slot] of slots.entries()) totals[place] = totalOf(slot);
    const ordered = sortDescending(totals).map((place) => slots[place] as number);
    for (let from = 0, to = 1; from < ordered.length; from = to, to += 1) {
      const total = totalOf(ordered[from] as number);
      while (to < ordered.length && totalOf(ordered[to] as number) === total) to += 1;
      if (to - from > 1) ordered.subarray(from, to).sort((a, b) => this.#compareEqual(a, b));
    }
    return ordered;
  }

  #insert(slot: number): void {
    const chunk = this.#chunkFor(slot);
    chunk.members.splice(this.#positionIn(chunk.members, slot), 0, slot);
    this.#chunkOf[slot] = chunk;
    this.#size += 1;
    if (chunk.members.length > CHUNK_MAX) this.#split(chunk);
    else this.#add(chunk.index, 1);
  }

  #take(slot: number, chunk: Chunk): void {
    chunk.members.splice(offsetOf(slot, chunk), 1);
    this.#chunkOf[slot] = undefined;
    this.#size -= 1;
    if (chunk.members.length > 0 || this.#chunks.length === 1) {
      this.#add(chunk.index, -1);
      return;
    }
    this.#chunks.splice(chunk.index, 1);
    this.#renumber();
  }

  /** Returns the chunk for a slot: the first whose last member does not come before it. */
  #chunkFor(slot: number): Chunk {
    if (this.#chunks.length === 0) {
      this.#chunks.push({ index: 0, members: [] });
      this.#rebuildTree();
    }
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#chunks[middle]?.members.at(-1);
      if (last !== undefined && this.#compare(last, slot) >= 0) high = middle;
      else low = middle + 1;
    }
    return this.#chunks[low] as Chunk;
  }

  /** Returns the insert position among ordered members. */
  #positionIn(members: readonly number[], slot: number): number {
    let low = 0;
    let high = members.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(members[middle] as number, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #split(chunk: Chunk): void {
    const moved = chunk.members.splice(CHUNK_MAX / 2);
    const next: Chunk = { index: chunk.index + 1, members: moved };
    for (const slot of moved) this.#chunkOf[slot] = next;
    this.#chunks.splice(next.index, 0, next);
    this.#renumber();
  }

  /** Makes room for this many slots. */
  #grow(slots: number): void {
    while (this.#chunkOf.length < slots) this.#chunkOf.push(undefined);
    if (slots <= this.#micro.length) return;
    const room = Math.max(slots, 2 * this.#micro.length);
    this.#micro = resized(this.#micro, room);
    this.#reachedAtMs = resized(this.#reachedAtMs, room);
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

  /** Returns the number of members in the chunks before this one. */
  #before(chunkIndex: number): number {
    let sum = 0;
    for (let node = chunkIndex; node > 0; node -= node & -node) sum += this.#tree[node] ?? 0;
    return sum;
  }

  /** Returns chunk and offset of a 0-based position. */
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

/** Returns a member's offset in its chunk: scanning a list of small numbers is cheaper than a binary search. */
function offsetOf(slot: number, chunk: Chunk): number {
  return chunk.members.indexOf(slot);
}

function resized(numbers: Float64Array, room: number): Float64Array {
  const larger = new Float64Array(room);
  larger.set(numbers);
  return larger;
}
