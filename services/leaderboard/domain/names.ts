/**
 * Finds users by a text in their name without scanning all users: it maps each pair of adjacent characters to the
 * users whose name contains it. It takes about 8 bytes per character of a name.
 */
export class NameIndex {
  readonly #byPair = new Map<number, string[]>();

  /** Adds a user, or changes the name. Names are in lower case; null is no name. */
  set(userId: string, before: string | null, after: string | null): void {
    if (before === after) return;
    const [left, now] = [pairsOf(before ?? ''), pairsOf(after ?? '')];
    for (const pair of left) if (!now.includes(pair)) this.#remove(pair, userId);
    for (const pair of now) if (!left.includes(pair)) this.#add(pair, userId);
  }

  /**
   * Returns the users who share the rarest pair of a text: all whose name contains the text, and some others.
   * @param text in lower case
   * @returns ids in no order; null for a text without a pair, which any name may contain
   */
  candidates(text: string): readonly string[] | null {
    let fewest: readonly string[] | null = null;
    for (const pair of pairsOf(text)) {
      const users = this.#byPair.get(pair) ?? [];
      if (fewest === null || users.length < fewest.length) fewest = users;
    }
    return fewest;
  }

  #add(pair: number, userId: string): void {
    const users = this.#byPair.get(pair);
    if (users) users.push(userId);
    else this.#byPair.set(pair, [userId]);
  }

  #remove(pair: number, userId: string): void {
    const users = this.#byPair.get(pair);
    const at = users?.indexOf(userId) ?? -1;
    if (!users || at < 0) return;
    const last = users.pop();
    if (last !== undefined && at < users.length) users[at] = last;
    if (users.length === 0) this.#byPair.delete(pair);
  }
}

/** Returns each pair of adjacent characters as one number, without creating a string for each. */
function pairsOf(text: string): number[] {
  const pairs: number[] = [];
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.charCodeAt(at) * 2 ** 16 + text.charCodeAt(at + 1);
    if (!pairs.includes(pair)) pairs.push(pair);
  }
  return pairs;
}
