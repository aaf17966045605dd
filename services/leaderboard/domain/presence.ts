/** A user is online with an authenticated request in the last 5 minutes. */
const ONLINE_MS = 300_000;
/** A number is stored every five minutes; one that is older than two such is of before an outage. */
const LAST_MS_MAX = 2 * ONLINE_MS;

/** Who is online, published by all services; each replica receives all of it. */
export class Presence {
  /** Last request, ms, oldest first: a user who is seen again goes to the end. */
  readonly #seen = new Map<string, number>();
  /** How many were online before this process listened: until it has listened for as long as a user is online, they are the least. */
  #before = { users: 0, untilMs: 0 };

  /** @param last how many a replica counted at a time; of long ago it is not believed */
  begin(last: { users: number; atMs: number }, nowMs: number): void {
    if (nowMs - last.atMs < LAST_MS_MAX) this.#before = { users: last.users, untilMs: nowMs + ONLINE_MS };
  }

  saw(userId: string, atMs: number): void {
    this.#seen.delete(userId);
    this.#seen.set(userId, atMs);
  }

  /** How many users are online at this moment. */
  count(nowMs: number): number {
    for (const [userId, atMs] of this.#seen) {
      if (nowMs - atMs < ONLINE_MS) break;
      this.#seen.delete(userId);
    }
    const { users, untilMs } = this.#before;
    return nowMs < untilMs ? Math.max(this.#seen.size, users) : this.#seen.size;
  }
}
