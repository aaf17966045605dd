import type { Account } from './account.js';
import { LEDGER_BOUNDS, type LedgerBounds } from './bounds.js';
import type { LedgerBus } from './ports.js';

/** Where a user's last balance.changed stands in the stream, and the account's seq that it tells. */
interface Place {
  readonly place: number;
  readonly seq: bigint;
}

const NOWHERE: Place = { place: 0, seq: 0n };

/**
 * Announces states of accounts so that in the stream, which keeps the last message of each user, an older state never
 * takes the place of a newer one, however late a slow or dying replica comes: each publish names the place of the
 * message that it follows.
 */
export class Announcer {
  /** The least recently announced goes first. */
  private readonly known = new Map<string, Place>();

  constructor(
    private readonly bus: LedgerBus,
    private readonly bounds: Pick<LedgerBounds, 'announceTries' | 'places'> = LEDGER_BOUNDS,
  ) {}

  /** Publishes balance.changed unless the stream holds this state or a newer one. @throws what the bus throws */
  async announce(account: Account): Promise<void> {
    const { userId, seq } = account;
    let last = this.known.get(userId) ?? (await this.look(userId));
    for (let tries = 0; tries < this.bounds.announceTries; tries += 1) {
      if (last.seq >= seq) return;
      const place = await this.bus.publishBalance(account, last.place);
      if (place !== null) return this.remember(userId, { place, seq });
      last = await this.look(userId);
    }
    throw new Error(`others announce ${userId} at the same time; left to the sweeper`);
  }

  private async look(userId: string): Promise<Place> {
    const last = (await this.bus.lastBalance(userId)) ?? NOWHERE;
    this.remember(userId, last);
    return last;
  }

  /** Keeps the later place: two relays of one account may end in any order. */
  private remember(userId: string, place: Place): void {
    const known = this.known.get(userId);
    if (known && known.place > place.place) return;
    this.known.delete(userId);
    this.known.set(userId, place);
    if (this.known.size <= this.bounds.places) return;
    const oldest = this.known.keys().next();
    if (!oldest.done) this.known.delete(oldest.value);
  }
}
