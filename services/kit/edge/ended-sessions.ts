const ID_BYTES = 16;
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const WORDS = ID_BYTES / WORD_BYTES;
const HEX_OF_WORD = 2 * WORD_BYTES;
/** Places for ids, a power of two; a table is at most half full. */
const ROOM_MIN = 1_024;

/** Whether a session's id can stand among packed ones: 32 hex characters, and not all of them 0, which says that nobody is there. */
export function isPackable(sessionId: string): boolean {
  return /^[0-9a-f]{32}$/.test(sessionId) && !/^0+$/.test(sessionId);
}

/** Ids of sessions as they go over the wire. @param sessionIds each packable */
export function packSessions(sessionIds: readonly string[]): string {
  return Buffer.from(sessionIds.join(''), 'hex').toString('base64');
}

/**
 * Ids of ended sessions, some 48 bytes each where as keys of a map they took 200: a table of their bits, in which one is looked for from the
 * place that its first bits say. The ids are random; nobody can choose them.
 */
export class EndedSessions {
  #size = 0;
  #words = new Uint32Array(ROOM_MIN * WORDS);

  get size(): number {
    return this.#size;
  }

  has(sessionId: string): boolean {
    if (this.#size === 0) return false;
    const id = wordsOf(sessionId);
    return id !== null && this.#isThere(this.#find(id));
  }

  /** Takes in what `packSessions` made. @returns false when there are more than so many, and those beyond it were left out */
  addPacked(packed: string, most: number): boolean {
    const bytes = Buffer.from(packed, 'base64');
    const id = new Uint32Array(WORDS);
    for (let from = 0; from + ID_BYTES <= bytes.length; from += ID_BYTES) {
      if (this.#size >= most) return false;
      for (let word = 0; word < WORDS; word += 1) id[word] = bytes.readUInt32BE(from + word * WORD_BYTES);
      this.#add(id);
    }
    return true;
  }

  delete(sessionId: string): void {
    const id = wordsOf(sessionId);
    if (id === null) return;
    let gap = this.#find(id);
    if (!this.#isThere(gap)) return;
    this.#size -= 1;
    // Who comes after it and would not be found any more beyond the gap moves into it.
    const last = this.#room - 1;
    for (let place = (gap + 1) & last; this.#isThere(place); place = (place + 1) & last) {
      const home = (this.#words[place * WORDS] as number) & last;
      if (((place - home) & last) < ((place - gap) & last)) continue;
      this.#words.copyWithin(gap * WORDS, place * WORDS, (place + 1) * WORDS);
      gap = place;
    }
    this.#words.fill(0, gap * WORDS, (gap + 1) * WORDS);
  }

  get #room(): number {
    return this.#words.length / WORDS;
  }

  #add(id: Uint32Array): void {
    const place = this.#find(id);
    if (this.#isThere(place)) return;
    this.#words.set(id, place * WORDS);
    this.#size += 1;
    if (2 * this.#size <= this.#room) return;
    const full = this.#words;
    this.#words = new Uint32Array(2 * full.length);
    this.#size = 0;
    for (let from = 0; from < full.length; from += WORDS) {
      const known = full.subarray(from, from + WORDS);
      if (known.some((word) => word !== 0)) this.#add(known);
    }
  }

  /** Where an id is, or the free place at which it belongs. */
  #find(id: Uint32Array): number {
    const last = this.#room - 1;
    for (let place = (id[0] as number) & last; ; place = (place + 1) & last)
      if (!this.#isThere(place) || this.#isAt(place * WORDS, id)) return place;
  }

  #isThere(place: number): boolean {
    const words = this.#words;
    const from = place * WORDS;
    return words[from] !== 0 || words[from + 1] !== 0 || words[from + 2] !== 0 || words[from + 3] !== 0;
  }

  #isAt(from: number, id: Uint32Array): boolean {
    const words = this.#words;
    return words[from] === id[0] && words[from + 1] === id[1] && words[from + 2] === id[2] && words[from + 3] === id[3];
  }
}

/** Null for what is no packable id. */
function wordsOf(sessionId: string): Uint32Array | null {
  if (!isPackable(sessionId)) return null;
  const from = (word: number) => word * HEX_OF_WORD;
  return Uint32Array.from({ length: WORDS }, (_, word) =>
    Number.parseInt(sessionId.slice(from(word), from(word + 1)), 16),
  );
}
