const ID_BYTES = 16;

/** Whether a session's id can go packed: 32 hex characters. */
export function isPackable(sessionId: string): boolean {
  return /^[0-9a-f]{32}$/.test(sessionId);
}

/** Ids of sessions as they go over the wire. @param sessionIds each packable */
export function packSessions(sessionIds: readonly string[]): string {
  return Buffer.from(sessionIds.join(''), 'hex').toString('base64');
}

/** Ids of ended sessions, as texts of 16 bytes: some 54 bytes each, where as hex they take 200. */
export class EndedSessions {
  readonly #ids = new Set<string>();

  get size(): number {
    return this.#ids.size;
  }

  has(sessionId: string): boolean {
    return isPackable(sessionId) && this.#ids.has(packedId(sessionId));
  }

  /** Takes in what `packSessions` made. @returns false when there are more than so many, and those beyond it were left out */
  addPacked(packed: string, most: number): boolean {
    const bytes = Buffer.from(packed, 'base64');
    for (let from = 0; from + ID_BYTES <= bytes.length; from += ID_BYTES) {
      if (this.size >= most) return false;
      // Each a text of its own: a slice of a larger one would keep all of it.
      this.#ids.add(bytes.toString('latin1', from, from + ID_BYTES));
    }
    return true;
  }

  delete(sessionId: string): void {
    if (isPackable(sessionId)) this.#ids.delete(packedId(sessionId));
  }
}

const packedId = (sessionId: string): string => Buffer.from(sessionId, 'hex').toString('latin1');
