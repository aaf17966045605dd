import { SOURCES } from '@cord/contracts/events/balance';
import { type EventKind, OF_ALL, subjectOf } from '@cord/contracts/events/envelope';
import { EVENTS } from '@cord/contracts/events/index';
import { STREAM_USERS, STREAMS, streamOf } from '@cord/contracts/events/streams';
import { NOTICE_KINDS } from '@cord/contracts/rules/notices';
import { describe, expect, it } from 'vitest';
import { eventText } from './nats/publishable.js';
import { restingAccount } from './testing/account-state.js';

const USER = 'f'.repeat(32);
const MS = 9_999_999_999_999;
const MICRO = '9'.repeat(18);
/** Names on Discord have at most 32 characters; four bytes each at the most. */
const NAME = '\u{1F680}'.repeat(32);
const AVATAR = `https://cdn.discordapp.com/avatars/${'9'.repeat(19)}/a_${'f'.repeat(32)}.png?size=256`;
const period = { key: '2026-11-22', micro: MICRO, miningMicro: MICRO, reachedAt: MS };
const session = {
  sessionId: USER,
  startedAt: MS,
  creditedUntil: MS,
  leaseUntil: MS,
  earnings: MICRO,
  sessionMs: MS,
  ranMs: MS,
  addressHash: 'f'.repeat(64),
  addresses: Array.from({ length: 8 }, () => ({ hash: 'f'.repeat(64), ms: MS, fromRanMs: MS })),
  day: { dayKey: '2026-11-22', ms: 86_400_000 },
};
const profile = {
  username: NAME,
  avatar: AVATAR,
  discordCreatedAt: MS,
  joinedAt: MS,
  lastLoginAt: MS,
  returning: false,
};
const claim = { amountMicro: MICRO, claimedAt: MS };

/** The largest message of each kind about one user. */
const LARGEST: Record<string, object> = {
  'balance.changed': restingAccount({
    balance: MICRO,
    totalReachedAt: MS,
    day: period,
    week: period,
    month: period,
    bySource: Object.fromEntries(SOURCES.map((source) => [source, MICRO])),
    epoch: { id: 'e'.repeat(40), joinedAt: MS, micro: MICRO },
    node: {
      status: 'active',
      sessionId: USER,
      startedAt: MS,
      creditedUntil: MS,
      leaseUntil: MS,
      rateNano: MICRO,
      ranMs: MS,
    },
  }),
  'node.started': session,
  'node.paused': session,
  'node.stopped': session,
  'user.registered': { ...profile, referralCode: 'ABCDEFGH', welcomeMicro: MICRO },
  'user.updated': profile,
  'user.settings': {
    notices: Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, 'push'])),
    notifications: false,
    quietHours: { from: '23:00', to: '07:00', zone: 'Z'.repeat(64) },
    locale: 'l'.repeat(35),
  },
  'user.erased': {},
  'session.opened': {
    opened: Array.from({ length: 3 }, () => ({ sessionId: USER, device: 'Firefox on ChromeOS', openedAt: MS })),
  },
  'anticheat.assessed': {
    level: 10,
    factorHundredths: 100,
    isFlagged: false,
    usersOnAddress: 999_999,
    addressKey: 'f'.repeat(64),
    hourMined: false,
  },
  'support.answered': {
    requestId: USER,
    kind: 'appeal',
    answeredAt: MS,
    network: { level: 10, isFlagged: false, wholeSince: MS },
  },
  'task.completed': { taskId: 't'.repeat(100), rewardMicro: MICRO, claimedAt: MS, completed: 99_999 },
  'checkin.performed': {
    dayKey: '2026-11-22',
    streak: 99_999,
    longestStreak: 99_999,
    totalCheckIns: 99_999,
    rewardMicro: MICRO,
    bonusMicro: MICRO,
  },
  'referral.linked': {
    referralCode: 'ABCDEFGH',
    referredBy: { userId: USER, username: NAME },
    totalReferrals: 99_999,
    earningsMicro: MICRO,
  },
  'referral.joined': { friendId: USER, joinedAt: MS, counts: false },
  'badge.purchased': { orderId: USER, purchasedAt: MS, transaction: '5'.repeat(88) },
  'badge.refunded': {
    refundId: USER,
    lamports: 99_999_999_999_999,
    reason: 'not-a-signature',
    returnTransaction: '5'.repeat(88),
    provenAt: MS,
  },
  'claim.made': { kind: 'compensation', ...claim, claims: { compensation: claim, cordclaim: claim } },
};

/** What NATS keeps beside subject, headers and payload: lengths, place, time and checksum. */
const RECORD_BYTES = 34;

/** What one event takes in its stream. */
function bytesOf(kind: EventKind, state: object): number {
  const id = `${kind.thing}.${kind.verb}:${USER}:${USER}:${MICRO}`;
  const payload = { v: 1, id, at: MS, userId: USER, seq: MICRO, ...state };
  const subject = subjectOf(kind, USER, kind.ofTwo && USER);
  const cause = `X-Request-Id: ${'r'.repeat(36)}\r\ntraceparent: 00-${'f'.repeat(32)}-${'f'.repeat(16)}-01\r\n`;
  const known = `Nats-Msg-Id: ${id}\r\nNats-Expected-Last-Subject-Sequence: ${MICRO}\r\n`;
  const headers = `NATS/1.0\r\n${known}${cause}\r\n`;
  return Buffer.byteLength(subject + headers + eventText(subject, payload, 2 ** 20)) + RECORD_BYTES;
}

const ofUsers = EVENTS.filter(({ bytes }) => bytes !== OF_ALL);

describe('the table of streams', () => {
  it.each(ofUsers.map((kind) => [`${kind.thing}.${kind.verb}`, kind] as const))(
    'counts with more bytes than the largest %s takes',
    (name, kind) => {
      expect(bytesOf(kind, LARGEST[name] ?? {})).toBeLessThanOrEqual(Number(kind.bytes));
    },
  );

  it('has one message a subject and no age in every stream of events; only dead letters grow old', () => {
    for (const { name, maxAgeMs, maxPerSubject } of STREAMS) {
      expect([name, maxAgeMs === 0, maxPerSubject]).toEqual(name === 'CORD_DEAD' ? [name, false, -1] : [name, true, 1]);
    }
  });

  it('gives each stream room for its users, and no more than 11 GiB to all together', () => {
    for (const { thing } of ofUsers) {
      const kinds = ofUsers.filter((kind) => streamOf(kind.thing) === streamOf(thing));
      expect(streamOf(thing).maxBytes).toBe(kinds.reduce((sum, { bytes }) => sum + Number(bytes) * STREAM_USERS, 0));
    }
    expect(STREAMS.reduce((sum, { maxBytes }) => sum + maxBytes, 0)).toBeLessThanOrEqual(11 * 1024 ** 3);
  });
});
