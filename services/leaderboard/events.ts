import { balanceChanged } from '@cord/contracts/events/balance';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { userErased, userRegistered, userUpdated } from '@cord/contracts/events/user';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import type { Board } from './domain/board.js';
import type { LeaderboardStore } from './store.js';

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

/** Keeps names, pictures and badges; replicas share this work. */
export function keepProfiles(nats: Nats, store: LeaderboardStore): Consuming[] {
  const keep = async (event: ProfileEvent) => store.saveProfile(event.userId, Number(event.seq), profileOf(event));
  return [
    nats.consume({
      stream: 'CORD_USERS',
      handlers: [
        on(userRegistered, keep),
        on(userUpdated, keep),
        on(userErased, async ({ userId }) => store.saveErased(userId)),
      ],
    }),
    nats.consume({
      stream: 'CORD_REWARDS',
      handlers: [on(badgePurchased, async ({ userId }) => store.saveBadge(userId))],
    }),
  ];
}

/** What this replica follows for itself. */
export interface Following {
  parts: (Consuming & { caughtUp: Promise<void> })[];
  /** Place in the balance stream up to which the board has everything. */
  balanceStreamSeq(): number;
}

/** Feeds this replica's board from the streams, in order. */
export function followStreams(nats: Nats, board: Board, afterBalanceSeq: number): Following {
  let balanceStreamSeq = afterBalanceSeq;
  const profile = async (event: ProfileEvent) => board.applyProfile(event.userId, Number(event.seq), profileOf(event));
  return {
    balanceStreamSeq: () => balanceStreamSeq,
    parts: [
      nats.orderedConsume({
        stream: 'CORD_BALANCE',
        afterStreamSeq: afterBalanceSeq,
        handlers: [
          on(balanceChanged, async (event, delivery) => {
            board.applyAccount(event.userId, Number(event.seq), event);
            balanceStreamSeq = delivery.streamSeq;
          }),
        ],
      }),
      nats.orderedConsume({
        stream: 'CORD_USERS',
        handlers: [
          on(userRegistered, profile),
          on(userUpdated, profile),
          on(userErased, async ({ userId }) => board.erase(userId)),
        ],
      }),
      nats.orderedConsume({
        stream: 'CORD_REWARDS',
        handlers: [on(badgePurchased, async ({ userId }) => board.applyBadge(userId))],
      }),
    ],
  };
}
