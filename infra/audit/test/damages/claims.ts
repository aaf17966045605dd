import { CORD, type Damage, nextDay } from './damage.js';

/** A confirmed correction without an entry. @param letter its id, repeated */
function unbooked(what: string, of: 'friend' | 'erasedFriend', letter: string): Damage {
  return [
    `${what} is confirmed and not booked`,
    (d, { [of]: user, referrer, buyer }) =>
      d.insert('mining', 'corrections', {
        ...{ _id: letter.repeat(32), userId: user.userId, amountMicro: CORD, reason: '', status: 'confirmed' },
        ...{ proposedBy: referrer.userId, proposedAtMs: 1, decidedBy: buyer.userId, decidedAtMs: 1 },
      }),
    new RegExp(`correction ${letter}+ is confirmed and has no entry`),
  ];
}

/** Damages of claims, and of who exists. */
export const claims: Damage[] = [
  [
    'a correction is booked that nobody proposed',
    (d, { friend }) => d.credit(friend.userId, `correction:${friend.userId}:${'c'.repeat(32)}`, -5n * CORD),
    /correction c+ is booked and not confirmed/,
  ],
  [
    'a correction is booked that is open',
    (d, { friend }) => d.own('mining.corrections', friend, { $set: { status: 'open', decidedBy: null } }),
    /correction \S+ is booked and not confirmed/,
  ],
  [
    'a correction is confirmed by who proposed it',
    async (d, { friend, referrer }) => d.own('mining.corrections', friend, { $set: { decidedBy: referrer.userId } }),
    /correction \S+ is confirmed by (\S+), proposed by \1/,
  ],
  [
    'a correction is booked with another amount',
    (d, { friend }) => d.own('mining.corrections', friend, { $inc: { amountMicro: CORD } }),
    /correction \S+ is -?\d+, expected/,
  ],
  unbooked('a correction', 'friend', 'c'),
  unbooked('a correction of an erased user', 'erasedFriend', 'e'),
  [
    'a correction takes off more than there is',
    (d, { later }) => d.credit(later.userId, `correction:${later.userId}:${'d'.repeat(32)}`, -900_000n * CORD),
    /it takes the balance to -/,
  ],
  [
    'a task is credited that nobody claimed',
    (d, { grandchild }) => d.credit(grandchild.userId, `task:join-telegram:${grandchild.userId}:once`, 72n * CORD),
    /task join-telegram: claimed 0 times, 1 entries/,
  ],
  [
    'a task was claimed once more than credited',
    (d, { friend }) => d.own('tasks.records', friend, { $inc: { 'claims.follow-x.count': 1 } }),
    /task follow-x: claimed 2 times/,
  ],
  [
    'a task was claimed for another reward',
    (d, { friend }) => d.own('tasks.records', friend, { $inc: { 'claims.follow-x.rewardMicro': CORD } }),
    /task follow-x: the latest credit/,
  ],
  [
    'a check-in is credited that nobody made',
    async (d, { grandchild }) =>
      d.credit(grandchild.userId, `checkin:${grandchild.userId}:${await nextDay(d, grandchild.userId)}`, 65n * CORD),
    /check-ins, \d+ entries/,
  ],
  [
    'a streak counts a day too many',
    (d, { friend }) => d.own('tasks.streaks', friend, { $inc: { totalCheckIns: 1 } }),
    /\d+ check-ins, \d+ entries/,
  ],
  [
    'the sum of a streak is raised',
    (d, { friend }) => d.own('tasks.streaks', friend, { $inc: { totalMicro: CORD } }),
    /sum of all check-ins/,
  ],
  [
    'compensation is credited without a claim',
    (d, { friend }) => d.own('rewards.holders', friend, { $set: { compensation: null } }),
    /compensation:\S+ is credited without a claim/,
  ],
  [
    'compensation is claimed and has neither entry nor credit in the outbox',
    (d, { grandchild }) =>
      d.own('rewards.holders', grandchild, { $set: { compensation: { amountMicro: 5_000n * CORD, atMs: 1 } } }),
    /compensation:\S+: the claim has no entry, no pending and no parked credit/,
  ],
  [
    'a credited claim is parked besides',
    (d, { friend }) =>
      d.own('rewards.holders', friend, {
        $set: { parked: [owed(`compensation:${friend.userId}`, friend.userId, 5_000n)], parkedAt: 1 },
      }),
    /compensation:\S+ is parked and credited/,
  ],
  [
    'a credited claim is pending besides, for another amount',
    (d, { friend }) =>
      d.own('rewards.holders', friend, {
        $set: { outbox: [owed(`compensation:${friend.userId}`, friend.userId, 6_000n)], dirtyAt: 1 },
      }),
    /which is pending and credited is/,
  ],
  [
    'a badge is gone, its reward stays',
    (d, { buyer }) => d.own('rewards.holders', buyer, { $set: { badge: null } }),
    /claimed without a badge/,
  ],
  [
    'the welcome was fixed at another amount',
    (d, { friend }) => d.own('auth.users', friend, { $inc: { 'onboarding.welcomeMicro': CORD } }),
    /welcome by the age of the account/,
  ],
  [
    'a welcome is marked as credited and has no entry',
    (d, { friend }) => d.remove('mining', 'entries', { _id: `welcome:${friend.userId}` }),
    /welcome:\S+ is marked as credited and has no entry/,
  ],
  [
    'a user is gone, the account stays',
    (d, { friend }) => d.remove('auth', 'users', { _id: friend.userId }),
    /the account has no user/,
  ],
  [
    'an erasure is forgotten',
    (d, { erasedFriend }) => d.remove('auth', 'erasures', { _id: erasedFriend.userId }),
    /is erased, but the user is not/,
  ],
  [
    'a newcomer’s bonus without a referrer',
    (d, { friend }) => d.own('referrals.members', friend, { $set: { referredBy: null } }),
    /refbonus:\S+ is credited without a claim/,
  ],
];
const owed = (key: string, userId: string, cord: bigint) => ({
  kind: 'credit',
  key,
  userId,
  source: key.split(':')[0],
  amountMicro: cord * CORD,
  reason: 'Made up',
  parkedAtMs: 1,
  refusal: 'key-conflict',
  message: 'Made up',
});
