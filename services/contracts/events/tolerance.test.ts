import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { accountReply, creditReply, creditRequest } from '../rpc/ledger.js';
import { FIRST_BOOK } from '../rules/rule-book.js';
import { type EventKind, NOBODY } from './envelope.js';
import { EVENTS } from './index.js';
import { THINGS_OF_ALL } from './streams.js';

const id = 'a'.repeat(32);
const period = { key: '2026-11-22', micro: '5', miningMicro: '5', reachedAt: 1 };
const account = {
  balance: '5',
  total: '5',
  totalReachedAt: 1,
  day: period,
  week: period,
  month: period,
  bySource: { mining: '5' },
  node: { status: 'active', sessionId: id, startedAt: 1, creditedUntil: 1, leaseUntil: 2, rateNano: '1', ranMs: 1 },
  epoch: { id: 'alpha', joinedAt: 1, micro: '5' },
};
const session = {
  ...{ sessionId: id, startedAt: 1, creditedUntil: 1, leaseUntil: 2, earnings: '5', sessionMs: 1, ranMs: 1 },
  ...{ addresses: [{ hash: 'h', ms: 1, fromRanMs: 0 }], day: { dayKey: '2026-11-22', ms: 1 } },
};
const oneClaim = { amountMicro: '5', claimedAt: 1 };
const profile = { username: 'mara', avatar: null, discordCreatedAt: 1, joinedAt: 1, lastLoginAt: 1, returning: false };

/** What each event carries beside its envelope. */
const EXAMPLES: Record<string, object> = {
  'balance.changed': account,
  'node.started': session,
  'node.paused': session,
  'node.stopped': session,
  'user.registered': { ...profile, referralCode: null, welcomeMicro: '5' },
  'user.updated': profile,
  'user.settings': {
    notices: { epoch: 'off' },
    notifications: true,
    quietHours: { from: '23:00', to: '07:00', zone: 'UTC' },
    locale: 'de',
  },
  'session.opened': { opened: [{ sessionId: id, device: 'Firefox on Linux', openedAt: 1 }] },
  'user.erased': {},
  'anticheat.assessed': {
    level: 1,
    factorHundredths: 75,
    isFlagged: true,
    usersOnAddress: 2,
    addressKey: 'k',
    hourMined: true,
  },
  'support.answered': {
    requestId: id,
    kind: 'appeal',
    answeredAt: 1,
    network: { level: 0, isFlagged: false, wholeSince: 1 },
  },
  'task.completed': { taskId: 't', rewardMicro: '5', claimedAt: 1, completed: 1 },
  'checkin.performed': {
    dayKey: '2026-11-22',
    streak: 1,
    longestStreak: 1,
    totalCheckIns: 1,
    rewardMicro: '5',
    bonusMicro: '5',
  },
  'referral.linked': {
    referralCode: 'ABCDEFGH',
    referredBy: { userId: id },
    totalReferrals: 1,
    earningsMicro: '5',
  },
  'referral.joined': { friendId: id, joinedAt: 1, counts: true },
  'badge.purchased': { orderId: 'o', purchasedAt: 1, transaction: 't' },
  'badge.refunded': { refundId: id, lamports: 5, reason: 'order-expired', returnTransaction: 't', provenAt: 1 },
  'claim.made': { kind: 'compensation', ...oneClaim, claims: { compensation: oneClaim, cordclaim: null } },
  'ranks.closed': {
    dayKey: '2026-11-26',
    beforeDay: '2026-11-25',
    closedAt: 1,
    moved: [{ userId: id, rank: 2, before: 1, passedBy: 1, nearest: id }],
  },
  'epoch.changed': {
    epochs: [{ id: 'alpha', name: 'Alpha', description: '', multiplierHundredths: 100, startAt: 1, endAt: 2 }],
    books: [{ ...FIRST_BOOK, announcedAtMs: null }],
  },
};

/** The value with a field of a newer release in each of its objects. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (value === null || typeof value !== 'object') return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withMore(one)]));
  return 'mining' in inner ? { ...inner, staking: '7' } : { ...inner, addedLater: { deep: ['x'] } };
}

const eventOf = ({ thing, verb }: EventKind) => ({
  v: 1,
  id: 'm1',
  at: 1,
  userId: THINGS_OF_ALL.includes(thing) ? NOBODY : id,
  seq: '1',
  ...EXAMPLES[`${thing}.${verb}`],
});

describe.each(EVENTS.map((kind) => [`${kind.thing}.${kind.verb}`, kind] as const))('%s', (_name, kind) => {
  const schema: z.ZodType = kind.schema;

  test('of this release is read', () => {
    expect(schema.parse(eventOf(kind))).toMatchObject(eventOf(kind));
  });

  test('of a newer release is read, whatever it adds and wherever', () => {
    const newer = { ...(withMore(eventOf(kind)) as object), v: 2 };
    expect(schema.parse(newer)).toMatchObject({ ...eventOf(kind), v: 2 });
  });
});

describe('a value that is unknown to this release', () => {
  test.each([
    ['a source', 'balance.changed', { bySource: { mining: '5', staking: '7' } }],
    ['a state of the node', 'balance.changed', { node: { ...account.node, status: 'draining' } }],
    ['a kind of claim', 'claim.made', { kind: 'anniversary' }],
    ['a level of the network check', 'anticheat.assessed', { level: 5 }],
  ])('%s is kept as it came', (_what, name, given) => {
    const kind = EVENTS.find((one) => `${one.thing}.${one.verb}` === name) as EventKind;
    expect(kind.schema.parse({ ...eventOf(kind), ...given })).toMatchObject(given);
  });
});

test('replies are read like events, requests that move money stay closed', () => {
  const factors = {
    discordCreatedAt: 1,
    tierHundredths: 100,
    antiCheatHundredths: 100,
    badge: false,
    epochHundredths: 100,
    rateNano: '1',
  };
  const reply = { ...account, userId: id, seq: '1', factors, erased: false };
  expect(accountReply.parse(withMore(reply))).toMatchObject(reply);
  const credited = { key: 'checkin:1', replayed: false, amountMicro: '5', balanceMicro: '5', seq: '1', at: 1 };
  expect(creditReply.parse(withMore(credited))).toMatchObject(credited);
  const credit = { userId: id, key: 'checkin:1', source: 'checkin', amountMicro: '5', reason: '' };
  expect(creditRequest.safeParse(credit).success).toBe(true);
  expect(creditRequest.safeParse({ ...credit, source: 'staking' }).success).toBe(false);
});
