import type { EventOf } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, consumeEach, on } from '@cord/kit/nats/consume';
import { isEvent, withoutItems } from '@cord/kit/outbox/items';
import type { RequestRegistration } from '@cord/kit/registration';
import type { Kit } from '@cord/kit/service';
import type { Arrivals } from './arrivals.js';
import type { Books } from './books.js';
import type { NodeEvent } from './domain/network.js';
import type { Announced, Follow } from './follow.js';
import { friendAccountOf } from './ledger.js';
import type { Member } from './member.js';
import type { ReferralStore } from './store.js';

const reads = READS.referrals;

/** Handles a newcomer, with the code carried through sign-in; ignores erased users. */
export function takeRegistered(
  arrivals: Pick<Arrivals, 'take'>,
  { userId, seq, username, avatar, returning, welcomeMicro, referralCode }: EventOf<typeof reads.userRegistered>,
): Promise<void> {
  const profile = { username, avatar, returning, welcomeMicro: BigInt(welcomeMicro), seq: BigInt(seq) };
  return arrivals.take(userId, profile, referralCode);
}

/** Consumes events of users, network checks, nodes and friends' balances. */
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
      // An erasure needs the ledger's last account, and its event arrives only once: it is retried for as long as mining is away.
      maxBusy: Number.POSITIVE_INFINITY,
      handlers: [
        on(reads.userRegistered, (registered) => takeRegistered(arrivals, registered)),
        on(reads.userUpdated, async ({ userId, seq: version, username, avatar }) => {
          const seq = BigInt(version);
          const isKnown = await store.members.change(userId, (member) => {
            const { profile, erased } = member;
            // Replicas share the events: a delayed replica may handle an event after a later one.
            const isNew = profile !== null && (profile.seq === undefined || profile.seq < seq);
            const doc = isNew ? { ...member, profile: { ...profile, username, avatar, seq } } : null;
            return { doc, result: profile !== null || erased };
          });
          // `user.registered` has not arrived yet, and its older name must not come after this one.
          if (!isKnown) await deps.requestRegistration(userId);
        }),
        on(reads.anticheatAssessed, async ({ userId, seq, addressKey, level, hourMined }) => {
          const address = { key: addressKey, level, hourMined, seq: BigInt(seq) };
          await follow.beforeMove(userId, address);
          await books.takeAddress(userId, address);
        }),
        on(reads.userErased, async ({ userId }) => {
          // A link written after the check is checked again; there is no second link.
          for (let isErased = false; !isErased; ) {
            const looked = await follow.beforeErasure(userId);
            // The address decides about the hold, so the books are updated before it is deleted.
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

/** Returns a friend's account from balance.changed. */
export function announcedBy(event: EventOf<typeof reads.balanceChanged>): Announced {
  return { account: friendAccountOf(event), running: event.node.status === 'active' };
}

/** Returns node time by address. */
function timesOf({ addresses = [] }: EventOf<typeof reads.nodeStarted>): NodeEvent['times'] {
  return addresses.map(({ hash, ms, fromRanMs }) => ({ key: hash, ms, fromRanMs }));
}

/**
 * Removes name, code, addresses and what the user is owed. The user's place among friends stays, without a name, and
 * so does what the referrer is owed for this friend (services/README.md#erasure).
 * @param looked whether the books contain all that the user earned as a friend
 * @returns false, without a write, when the user became a friend since that check
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

/** Returns the member without fields that mark due work, and without addresses. */
function withoutMarks(member: Member) {
  const { code, mined, recounting, dueAt, taken, reportedAt, againAt, bonusAt, codeAt, codeTries, ...kept } = member;
  return kept;
}
