/**
 * Who holds a text in the name, found without looking at everybody: of each two neighbouring characters, the users in whose
 * name they stand. About 8 bytes a character of a name.
 */
export class NameIndex {
  readonly #byPair = new Map<number, string[]>();

  /** Takes a user in, or moves one to another name. Names are in lower case; null is no name. */
  set(userId: string, before: string | null, after: string | null): void {
    if (before === after) return;
    const [left, now] = [pairsOf(before ?? ''), pairsOf(after ?? '')];
    for (const pair of left) if (!now.includes(pair)) this.#remove(pair, userId);
    for (const pair of now) if (!left.includes(pair)) this.#add(pair, userId);
  }

  /**
   * Those who share the rarest pair of a text: everybody whose name holds the text, and some others.
   * @param text in lower case
   * @returns ids in no order; null for a text without a pair, which anybody may hold
   */
  sharing(text: string): readonly string[] | null {
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

/** Each two neighbouring characters as one number: a name is taken in without making a text of each. */
function pairsOf(text: string): number[] {
  const pairs: number[] = [];
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.charCodeAt(at) * 2 ** 16 + text.charCodeAt(at + 1);
    if (!pairs.includes(pair)) pairs.push(pair);
  }
  return pairs;
}
