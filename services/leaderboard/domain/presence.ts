/** A user is online for this time after an authenticated request, ms. */
const ONLINE_MS = 300_000;
/** Maximum age of a stored number, ms: one is stored every five minutes, and an older one dates from before an outage. */
const LAST_MS_MAX = 2 * ONLINE_MS;

/** Tracks who is online, as published by all services; each replica receives all messages. */
export class Presence {
  /** Time of each user's last request, ms, oldest first: a new request moves the user to the end. */
  readonly #seen = new Map<string, number>();
  /** Number online before this process started: the minimum until it has listened for ONLINE_MS. */
  #before = { users: 0, untilMs: 0 };

  /** @param last the last stored number and its time; ignored when too old */
  restore(last: { users: number; atMs: number }, nowMs: number): void {
    if (nowMs - last.atMs < LAST_MS_MAX) this.#before = { users: last.users, untilMs: nowMs + ONLINE_MS };
  }

  markSeen(userId: string, atMs: number): void {
    this.#seen.delete(userId);
    this.#seen.set(userId, atMs);
  }

  /** Returns the number of users online now. */
  count(nowMs: number): number {
    for (const [userId, atMs] of this.#seen) {
      if (nowMs - atMs < ONLINE_MS) break;
      this.#seen.delete(userId);
    }
    const { users, untilMs } = this.#before;
    return nowMs < untilMs ? Math.max(this.#seen.size, users) : this.#seen.size;
  }
}
