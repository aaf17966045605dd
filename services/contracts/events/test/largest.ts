import { NOTICE_KINDS } from '../../rules/notices.js';
import { FIRST_BOOK } from '../../rules/rule-book.js';
import { SOURCES } from '../balance.js';

export const USER = 'f'.repeat(32);
export const MS = 9_999_999_999_999;
export const MICRO = '9'.repeat(18);
/** The longest name: Discord allows 32 characters, at most four bytes each. */
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

/** The largest state of an account. */
export const account = {
  balance: MICRO,
  total: MICRO,
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
};

/** The largest payload of each event without its envelope, for events about one user. */
export const LARGEST: Record<string, object> = {
  'balance.changed': account,
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
    referredBy: { userId: USER },
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
  'ranks.closed': {
    dayKey: '2026-11-26',
    beforeDay: '2026-11-25',
    closedAt: 1,
    moved: [{ userId: USER, rank: 2, before: 1, passedBy: 1, nearest: USER }],
  },
  'epoch.changed': {
    epochs: [{ id: 'alpha', name: 'Alpha', description: '', multiplierHundredths: 100, startAt: 1, endAt: 2 }],
    books: [{ ...FIRST_BOOK, announcedAtMs: null }],
  },
};
