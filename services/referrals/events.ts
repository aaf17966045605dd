import { balanceChanged, COMMISSION_SOURCES } from '@cord/contracts/events/balance';
import { anticheatAssessed, userErased, userRegistered, userUpdated } from '@cord/contracts/events/user';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import { withoutOutbox } from '@cord/kit/outbox';
import { withoutPromises } from '@cord/kit/promised-credits';
import type { Arrivals } from './arrivals.js';
import type { Books } from './books.js';
import type { ReferralStore } from './store.js';

/** Listens to users, to the network check, and to what friends earn. */
export function listen(nats: Nats, store: ReferralStore, books: Books, arrivals: Arrivals): Consuming[] {
  return [
    nats.consume({
      stream: 'CORD_USERS',
      handlers: [
        on(userRegistered, async ({ userId, username, avatar, returning, welcomeMicro, referralCode }) =>
          arrivals.take(userId, { username, avatar, returning, welcomeMicro: BigInt(welcomeMicro) }, referralCode),
        ),
        on(userUpdated, async ({ userId, username, avatar }) =>
          store.members.change(userId, (member) => ({
            doc: member.profile ? { ...member, profile: { ...member.profile, username, avatar } } : null,
            result: undefined,
          })),
        ),
        on(anticheatAssessed, async ({ userId, addressKey, level }) =>
          books.takeAddress(userId, { key: addressKey, level }),
        ),
        on(userErased, async ({ userId }) => erase(store, userId)),
      ],
    }),
    nats.consume({
      stream: 'CORD_BALANCE',
      handlers: [
        on(balanceChanged, async ({ userId, seq, total, bySource, node }) =>
          books.takeAccount(userId, {
            accountSeq: BigInt(seq),
            eligibleMicro: COMMISSION_SOURCES.reduce((sum, source) => sum + BigInt(bySource[source] ?? 0), 0n),
            totalMicro: BigInt(total),
            ranMs: node.ranMs,
          }),
        ),
      ],
    }),
  ];
}

/** Takes name, code and address out; the place among friends stays, without a name (money.md, Erasure). */
function erase(store: ReferralStore, userId: string): Promise<void> {
  return store.members.change(userId, ({ code: _code, dueAt: _dueAt, ...member }) => ({
    doc: {
      ...withoutPromises(withoutOutbox(member)),
      profile: null,
      erased: true,
      address: { key: null, level: 0 },
      pendingCode: null,
    },
    result: undefined,
  }));
}
