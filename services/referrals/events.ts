import type { EventOf } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, consumeEach, on } from '@cord/kit/nats/consume';
import { isEvent, withoutItems } from '@cord/kit/outbox/items';
import type { RequestRegistration } from '@cord/kit/registration';
import type { Kit } from '@cord/kit/service';
import type { Arrivals } from './arrivals.js';
import type { Books } from './books.js';
import type { NodeNews } from './domain/network.js';
import type { Announced, Follow } from './follow.js';
import { friendAccountOf } from './ledger.js';
import type { Member } from './member.js';
import type { ReferralStore } from './store.js';

const reads = READS.referrals;

/** Takes a newcomer in, with the code that was carried through sign-in; of one who was erased nothing. */
export function takeRegistered(
  arrivals: Pick<Arrivals, 'take'>,
  { userId, seq, username, avatar, returning, welcomeMicro, referralCode }: EventOf<typeof reads.userRegistered>,
): Promise<void> {
  const profile = { username, avatar, returning, welcomeMicro: BigInt(welcomeMicro), seq: BigInt(seq) };
  return arrivals.take(userId, profile, referralCode);
}

/** Listens to users, to the network check, to where people mine, and to what friends earn. */
export function listen(
  nats: Pick<Nats, 'consume'>,
  deps: {
    store: ReferralStore;
    books: Books;
    follow: Follow;
    arrivals: Arrivals;
    erase: Kit['erase'];
    requestRegistration: RequestRegistration;
  },
): Consuming[] {
  const { store, books, follow, arrivals } = deps;
  const node = (running: boolean) => async (event: EventOf<typeof reads.nodeStarted>) => {
    const news = {
      seq: BigInt(event.seq),
      ranMs: event.ranMs,
      creditedUntilMs: event.creditedUntil,
      times: timesOf(event),
      seenAt: event.addressHash ?? null,
      running,
    };
    await books.takeNode(event.userId, news);
  };
  return [
    nats.consume({
      stream: 'CORD_USERS',
      // An erasure needs the ledger's last account and comes only once: while mining is away it waits, however long.
      maxBusy: Number.POSITIVE_INFINITY,
      handlers: [
        on(reads.userRegistered, (registered) => takeRegistered(arrivals, registered)),
        on(reads.userUpdated, async ({ userId, seq: version, username, avatar }) => {
          const seq = BigInt(version);
          const isKnown = await store.members.change(userId, (member) => {
            const { profile, erased } = member;
            // Replicas share the events: one that has waited for its store may come behind a later one.
            const isNew = profile !== null && (profile.seq === undefined || profile.seq < seq);
            const doc = isNew ? { ...member, profile: { ...profile, username, avatar, seq } } : null;
            return { doc, result: profile !== null || erased };
          });
          // Ahead of `user.registered`, which would bring the name before this one.
          if (!isKnown) await deps.requestRegistration(userId);
        }),
        on(reads.anticheatAssessed, async ({ userId, seq, addressKey, level, hourMined }) => {
          const address = { key: addressKey, level, hourMined, seq: BigInt(seq) };
          await follow.beforeMove(userId, address);
          await books.takeAddress(userId, address);
        }),
        on(reads.userErased, async ({ userId }) => {
          // A link that was written after the look is looked at once more; there is no second one.
          for (let isErased = false; !isErased; ) {
            const looked = await follow.beforeErasure(userId);
            // The hold is decided by the address, so the books go first.
            if (looked) await books.forget(userId);
            isErased = await eraseMember(store, userId, looked);
          }
          await books.forgetHolds(userId);
          await deps.erase(userId);
        }),
      ],
    }),
    ...consumeEach(nats, [
      on(reads.nodeStarted, node(true)),
      on(reads.nodePaused, node(false)),
      on(reads.nodeStopped, node(false)),
      on(reads.balanceChanged, async (event) => follow.take(event.userId, announcedBy(event))),
    ]),
  ];
}

/** A friend's account as balance.changed has it. */
export function announcedBy(event: EventOf<typeof reads.balanceChanged>): Announced {
  return { account: friendAccountOf(event), running: event.node.status === 'active' };
}

/** Node time by address. */
function timesOf({ addresses = [] }: EventOf<typeof reads.nodeStarted>): NodeNews['times'] {
  return addresses.map(({ hash, ms, fromRanMs }) => ({ key: hash, ms, fromRanMs }));
}

/**
 * Takes name, code, addresses and what the user is owed out; the place among friends stays, without a name, and what the
 * referrer is owed for this friend (services/README.md#erasure).
 * @param looked whether the books hold what the user has earned as a friend
 * @returns false, and nothing is written, when the user has become a friend since that look
 */
function eraseMember(store: ReferralStore, userId: string, looked: boolean): Promise<boolean> {
  return store.members.change(userId, (member) => {
    if (member.friend && !member.erased && !looked) return { doc: null, result: false };
    const doc = {
      ...withoutMarks(withoutItems(member, (item) => isEvent(item) || item.userId === userId)),
      profile: null,
      erased: true,
      address: { key: null, level: 0 },
      pendingCode: null,
      linking: null,
    };
    return { doc, result: true };
  });
}

/** Without what has marks of its own, and what names addresses. */
function withoutMarks(member: Member) {
  const { code, mined, recounting, dueAt, taken, reportedAt, againAt, bonusAt, codeAt, codeTries, ...kept } = member;
  return kept;
}
