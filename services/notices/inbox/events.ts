import { READS } from '@cord/contracts/events/reads';
import { DAY_MS, dayStartOf } from '@cord/contracts/rules/days';
import type { Live } from '@cord/kit/live';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, consumeEach, on } from '@cord/kit/nats/consume';
import type { Kit } from '@cord/kit/service';
import type { Commissions } from './commissions.js';
import type { EpochCopy } from './epochs.js';
import type { Inbox } from './inbox.js';
import type { People } from './people.js';
import type { Streaks } from './streaks.js';

const reads = READS.notices;

/** Maximum number of users of one event processed concurrently. */
const NOTIFIED_AT_ONCE = 32;

/** Consumes the events that create notices. Each is delivered at least once and maybe late: the inbox creates one notice. */
export function listen(
  nats: Pick<Nats, 'consume'>,
  deps: {
    inbox: Inbox;
    people: Pick<People, 'docs' | 'noteSecurityOff'>;
    streaks: Streaks;
    commissions: Commissions;
    epochs: EpochCopy;
    live: Pick<Live, 'sendAll'>;
    erase: Kit['erase'];
    nodeRuns(userId: string, leaseUntilMs: number): Promise<void>;
  },
): Consuming[] {
  const { inbox, people, streaks, commissions, epochs, live, erase, nodeRuns } = deps;
  return consumeEach(nats, [
    on(reads.userErased, ({ userId }) => erase(userId)),
    // One notice per device, keyed by the session that it opened.
    on(reads.sessionOpened, async ({ userId, opened }) => {
      const { securityOffAtMs = 0 } = (await people.docs.get(userId)) ?? {};
      let offAtMs = securityOffAtMs;
      for (const { sessionId, device, openedAt } of opened) {
        if (openedAt <= securityOffAtMs) continue;
        const news = { subject: sessionId, atMs: openedAt, facts: { sessionId, device } };
        await inbox.notify(userId, { kind: 'security', ...news }, () => {
          offAtMs = Math.max(offAtMs, openedAt);
        });
      }
      if (offAtMs > securityOffAtMs) await people.noteSecurityOff(userId, offAtMs);
    }),
    // One notice per answer to a request.
    on(reads.supportAnswered, ({ userId, requestId, seq, kind, answeredAt, network }) => {
      const { level = 0, isFlagged = false, wholeSince = null } = network ?? {};
      const facts = {
        request: kind,
        ...(network ? { network: { level, isFlagged, wholeSinceMs: wholeSince } } : {}),
      };
      const news = { subject: `${requestId}.${seq}`, atMs: answeredAt, facts };
      return inbox.notify(userId, { kind: 'support-answered', ...news });
    }),
    on(reads.nodeStarted, ({ userId, leaseUntil }) => nodeRuns(userId, leaseUntil)),
    // A pause happens without the user, so it is notified; a stop by the user is not.
    on(reads.nodePaused, ({ userId, sessionId, leaseUntil }) =>
      inbox.notify(userId, {
        kind: 'node-paused',
        subject: sessionId,
        atMs: leaseUntil,
        facts: { pausedAtMs: leaseUntil },
      }),
    ),
    on(reads.checkinPerformed, ({ userId, seq, dayKey, streak }) =>
      streaks.checkedIn(userId, { seq: BigInt(seq), dayKey, days: streak }),
    ),
    on(reads.referralJoined, async ({ userId, friendId, joinedAt, counts }) => {
      // A person who returned after an erasure gives no bonus (services/README.md#erasure).
      if (!counts) return;
      const news = { kind: 'friend-joined', subject: friendId, atMs: joinedAt, facts: { friendId } } as const;
      await inbox.notify(userId, news);
    }),
    on(reads.referralLinked, ({ userId, seq, at, totalReferrals, earningsMicro }) =>
      commissions.brought(userId, { seq: BigInt(seq), atMs: at, friends: totalReferrals, earningsMicro }),
    ),
    on(reads.ranksClosed, async ({ dayKey, beforeDay, moved }) => {
      if (beforeDay === null) return;
      const closed = { subject: dayKey, atMs: dayStartOf(dayKey) + DAY_MS };
      const notify = ({ userId, ...move }: (typeof moved)[number]) =>
        inbox.notify(userId, { kind: 'rank', ...closed, facts: { dayKey, beforeDay, ...move } });
      for (let from = 0; from < moved.length; from += NOTIFIED_AT_ONCE)
        await Promise.all(moved.slice(from, from + NOTIFIED_AT_ONCE).map(notify));
    }),
    on(reads.badgePurchased, ({ userId, orderId, purchasedAt, transaction }) => {
      const facts = { orderId, transaction };
      return inbox.notify(userId, { kind: 'payment', subject: orderId, atMs: purchasedAt, facts });
    }),
    on(reads.badgeRefunded, ({ userId, refundId, provenAt, lamports, reason, returnTransaction }) => {
      const facts = { refundId, lamports, reason, returnTransaction };
      return inbox.notify(userId, { kind: 'payment', subject: refundId, atMs: provenAt, facts });
    }),
    on(reads.epochChanged, async ({ seq, epochs: rows, books }) => {
      const announced = books.flatMap(({ version, fromMs, announcedAtMs }) =>
        announcedAtMs === null ? [] : [{ version, fromMs, announcedAtMs }],
      );
      // Everybody's list has one more row.
      if (await epochs.keep(BigInt(seq), { epochs: rows, books: announced })) live.sendAll('notices', { seq });
    }),
  ]);
}
