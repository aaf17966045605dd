import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type EventHandler, on } from '@cord/kit/nats/consume';
import type { StreamPlace } from '@cord/kit/nats/ordered';
import type { Board } from './domain/board.js';

const reads = READS.leaderboard;

interface ProfileEvent {
  userId: string;
  seq: string;
  username: string;
  avatar: string | null;
  discordCreatedAt: number;
}

const profileOf = ({ username, avatar, discordCreatedAt }: ProfileEvent) => ({
  username,
  avatar,
  discordCreatedAtMs: discordCreatedAt,
});

/** The position in each stream up to which the board is filled, by stream name. */
export type BoardPlaces = Readonly<Record<string, StreamPlace>>;

/** The streams that this replica follows for itself. */
export type Following = ReturnType<typeof followStreams>;

/**
 * Feeds this replica's board from the streams, in order, each from its position on.
 * @param onShown called for each credit that becomes visible, with the time of the credit; not for a node's earnings,
 *   which are published every half minute
 */
export function followStreams(
  nats: Pick<Nats, 'orderedConsume'>,
  board: Board,
  after: BoardPlaces | null,
  onShown: (creditedAtMs: number) => void = () => undefined,
) {
  const profile = async (event: ProfileEvent) => board.applyProfile(event.userId, Number(event.seq), profileOf(event));
  const handlers: Readonly<Record<string, readonly EventHandler[]>> = {
    CORD_BALANCE: [
      on(reads.balanceChanged, async (event) => {
        if (board.applyAccount(event.userId, Number(event.seq), event)) onShown(event.totalReachedAt);
      }),
    ],
    CORD_USERS: [
      on(reads.userRegistered, profile),
      on(reads.userUpdated, profile),
      on(reads.userErased, async ({ userId }) => board.erase(userId)),
    ],
    CORD_REWARDS: [on(reads.badgePurchased, async ({ userId }) => board.applyBadge(userId))],
  };
  const readings = Object.entries(handlers).map(([stream, handlers]) => {
    const place = after?.[stream];
    return [stream, nats.orderedConsume({ stream, handlers, ...(place ? { after: place } : {}) })] as const;
  });
  return {
    parts: readings.map(([, reading]) => reading),
    /** Returns the positions; null until each stream was read. */
    places(): BoardPlaces | null {
      const places: Record<string, StreamPlace> = {};
      for (const [stream, reading] of readings) {
        const place = reading.place();
        if (!place) return null;
        places[stream] = place;
      }
      return places;
    },
  };
}
