/** A user is online with an authenticated request in the last 5 minutes. */
const ONLINE_MS = 300_000;

/** Who is online, published by all services; each replica receives all of it. */
export class Presence {
  /** Last request, ms, oldest first: a user who is seen again goes to the end. */
  readonly #seen = new Map<string, number>();

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
    return this.#seen.size;
  }
}
