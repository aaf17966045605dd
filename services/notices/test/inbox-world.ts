import { nodePaused } from '@cord/contracts/events/node';
import { referralJoined } from '@cord/contracts/events/referral';
import type { EpochRow } from '@cord/contracts/events/rewards';
import { badgePurchased, epochChanged } from '@cord/contracts/events/rewards';
import { checkinPerformed } from '@cord/contracts/events/tasks';
import { dayKey } from '@cord/contracts/rules/days';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { excusedDays, isTodayHindered, type OffSpan } from '@cord/contracts/rules/streak';
import { eraseUser } from '@cord/kit/erase';
import { createTestClock, randomId, startTestStore } from '@cord/kit/testing/index';
import { createTestDelivery } from '@cord/kit/testing/last-only';
import { nodeSession } from '@cord/kit/testing/node-state';
import { data } from '../data.js';
import { createCommissions } from '../inbox/commissions.js';
import { openEpochs } from '../inbox/epochs.js';
import { listen } from '../inbox/events.js';
import { createInbox } from '../inbox/inbox.js';
import type { Lookups, Settings } from '../inbox/lookups.js';
import { openPeople } from '../inbox/people.js';
import { createReading } from '../inbox/reading.js';
import { openNoticeStore } from '../inbox/store.js';
import { createStreaks } from '../inbox/streaks.js';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
/** Friday 27 November 2026, 21:00 UTC. */
export const EVENING = Date.UTC(2026, 10, 27, 21);

/** A node session that ended with its lease. */
export const paused = (leaseUntil: number, sessionId = randomId()) =>
  nodeSession(leaseUntil - 8 * HOUR, leaseUntil, { sessionId });

export const checkIn = (dayKey: string, streak: number) => ({
  dayKey,
  streak,
  longestStreak: streak,
  totalCheckIns: streak,
  rewardMicro: '50000000',
  bonusMicro: '0',
});

export const epoch = (name: string, startAt: number, multiplierHundredths = 120): EpochRow => ({
  id: name.toLowerCase(),
  name: `Epoch ${name}`,
  description: '',
  multiplierHundredths,
  startAt,
  endAt: startAt + 15 * DAY,
});

/** Responses of other services. */
interface Others {
  choices: Record<string, string>;
  /** Choices of users that differ from `choices`. */
  choicesOf: Map<string, Record<string, string>>;
  joinedAtMs: number | null;
  names: Map<string, string>;
  running: Awaited<ReturnType<Lookups['running']>>;
  /** By UTC day, micro-CORD. */
  commission: Record<string, bigint>;
  settings: Omit<Settings, 'choices'>;
  lease: Awaited<ReturnType<Lookups['leaseOf']>>;
}

/** Opens the inbox on a separate store; events are passed to it one after the other. */
export async function openInboxWorld() {
  const backend = await startTestStore({ data });
  const { store: connection } = backend;
  const clock = createTestClock(EVENING);
  const settings = { notifications: true, quietHours: null, locale: null };
  const others: Others = {
    choices: {},
    choicesOf: new Map(),
    joinedAtMs: 0,
    names: new Map(),
    running: null,
    commission: {},
    settings,
    lease: null,
  };
  const announced: string[] = [];
  const live = {
    send: (kind: string, userId: string) => void announced.push(`${kind} ${userId}`),
    sendAll: (kind: string) => void announced.push(`${kind} all`),
  };
  const choicesOf = (userId: string) => others.choicesOf.get(userId) ?? others.choices;
  const claimsOff: OffSpan[] = [];
  const outages: OffSpan[] = [];
  const lookups: Lookups = {
    book: () => FIRST_BOOK,
    async excused() {
      const nowMs = clock.now();
      const spans = { claimsOff, outages };
      return { days: excusedDays(spans, nowMs), today: isTodayHindered(spans, nowMs) };
    },
    choicesOf: async (userId) => choicesOf(userId),
    joinedAtMs: async () => others.joinedAtMs,
    nameOf: async (userId) => others.names.get(userId) ?? null,
    running: async () => others.running,
    commissionOf: async (_userId, fromMs) => others.commission[dayKey(fromMs)] ?? 0n,
    settingsOf: async (userId) => ({ choices: choicesOf(userId), ...others.settings }),
    leaseOf: async () => others.lease,
  };
  const notices = openNoticeStore(connection);
  const people = openPeople(connection);
  const epochs = openEpochs(connection);
  const inbox = createInbox({ notices, people, clock, live, choicesOf: lookups.choicesOf });
  const streaks = createStreaks({ people, inbox, clock, lookups });
  const commissions = createCommissions({ people, inbox, lookups, clock });
  const reading = createReading({ notices, people, epochs, lookups, clock, live });
  const erase = (userId: string) => eraseUser({ store: connection, nats: backend.nats }, data, userId);
  const nodeRuns = async () => undefined;
  const hand = createTestDelivery((nats) =>
    listen(nats, { inbox, people, streaks, commissions, epochs, live, erase, nodeRuns }),
  );
  return {
    /** Spans in which claims were off, and in which check-ins were not possible. */
    spans: claimsOff,
    outages,
    /** Access to the store. */
    stored: { storeOf: async () => connection },
    clock,
    others,
    announced,
    connection,
    erase,
    inbox,
    commissions,
    notices,
    people,
    streaks,
    epochs,
    lookups,
    reading,
    hand,
    receive: {
      paused: (userId: string, state: ReturnType<typeof paused>, seq = 1) =>
        hand(userId, { kind: nodePaused, seq, state }),
      checkIn: (userId: string, state: ReturnType<typeof checkIn>) =>
        hand(userId, { kind: checkinPerformed, seq: state.totalCheckIns, state }),
      joined: (userId: string, friendId: string, joinedAt: number, counts = true) =>
        hand(userId, { kind: referralJoined, seq: 1, state: { friendId, joinedAt, counts } }),
      bought: (userId: string, orderId: string, purchasedAt: number) =>
        hand(userId, { kind: badgePurchased, seq: 1, state: { orderId, purchasedAt, transaction: '5'.repeat(88) } }),
      epochs: (seq: number, table: EpochRow[], books: object[] = []) =>
        hand('', { kind: epochChanged, seq, state: { epochs: table, books } }),
    },
    /** Runs the periodic work once, on this replica. */
    sweep: async () => {
      for (const { run } of [streaks.work, commissions.work])
        await run({ moved: false, lease: async () => true, rest: () => undefined });
    },
    titles: async (userId: string) => (await reading.page(userId, { limit: 50 })).notices.map(({ title }) => title),
    stop: backend.stop,
  };
}
