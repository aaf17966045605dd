const ID_BYTES = 16;

/** Whether a session id can be packed: 32 hex characters. */
export function isPackable(sessionId: string): boolean {
  return /^[0-9a-f]{32}$/.test(sessionId);
}

/** Packs session ids for the wire. @param sessionIds each packable */
export function packSessions(sessionIds: readonly string[]): string {
  return Buffer.from(sessionIds.join(''), 'hex').toString('base64');
}

/** Ids of ended sessions, stored as 16-byte strings: some 54 bytes each, compared with 200 as hex. */
export class EndedSessions {
  readonly #ids = new Set<string>();

  get size(): number {
    return this.#ids.size;
  }

  has(sessionId: string): boolean {
    return isPackable(sessionId) && this.#ids.has(packedId(sessionId));
  }

  /** Adds the output of `packSessions`. @returns false when the limit was reached and the rest was dropped */
  addPacked(packed: string, most: number): boolean {
    const bytes = Buffer.from(packed, 'base64');
    for (let from = 0; from + ID_BYTES <= bytes.length; from += ID_BYTES) {
      if (this.size >= most) return false;
      // Each is a string of its own: a slice would keep the larger string in memory.
      this.#ids.add(bytes.toString('latin1', from, from + ID_BYTES));
    }
    return true;
  }

  delete(sessionId: string): void {
    if (isPackable(sessionId)) this.#ids.delete(packedId(sessionId));
  }
}

const packedId = (sessionId: string): string => Buffer.from(sessionId, 'hex').toString('latin1');
