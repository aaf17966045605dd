import { CORD, type Damage } from './damage.js';

/** Damages of commission and referral bonuses. */
export const commission: Damage[] = [
  [
    'more commission than the friends came to',
    async (d, { referrer }) => {
      const { seq } = await d.account(referrer.userId);
      await d.credit(referrer.userId, `commission:${referrer.userId}:${seq + 1n}`, 100n * CORD);
    },
    / commission, all friends allow/,
  ],
  [
    'commission of who has no friend',
    async (d, { later }) => {
      const { seq } = await d.account(later.userId);
      await d.credit(later.userId, `commission:${later.userId}:${seq + 1n}`, 100n * CORD);
    },
    /the ledger paid 100000000 commission, all friends allow 0/,
  ],
  [
    '86 CORD of who has no friend',
    (d, { later, buyer }) => d.credit(later.userId, `refwelcome:${later.userId}:${buyer.userId}`, 86n * CORD),
    /refwelcome:\S+ is credited, but the user is not a friend/,
  ],
  [
    'a friend counts more than was earned',
    (d, { friend }) => d.own('referrals.members', friend, { $inc: { 'friend.countedMicro': CORD } }),
    /counts and \d+ is held, but \d+ is earned/,
  ],
  [
    'a friend’s baseline is lowered',
    (d, { friend }) => d.own('referrals.members', friend, { $inc: { 'friend.baselineMicro': -CORD } }),
    /counts and \d+ is held, but \d+ is earned/,
  ],
  [
    'the record of a friend is ahead of the ledger',
    (d, { friend }) =>
      d.own('referrals.members', friend, { $inc: { 'friend.eligibleMicro': CORD, 'friend.countedMicro': CORD } }),
    /the record has \d+ earned, the ledger/,
  ],
  [
    'the record of a friend whose node runs is further ahead of the ledger than the node can have mined',
    async (d, { friend }) => {
      await d.own('mining.accounts', friend, { $set: { 'node.status': 'active' } });
      const $inc = { 'friend.eligibleMicro': 100_000n * CORD, 'friend.countedMicro': 100_000n * CORD };
      await d.own('referrals.members', friend, { $inc });
    },
    /the record has \d+ earned, the ledger/,
  ],
  [
    'the record of an erased friend is behind the ledger',
    (d, { erasedFriend }) =>
      d.own('referrals.members', erasedFriend, {
        $inc: { 'friend.eligibleMicro': -CORD, 'friend.countedMicro': -CORD },
      }),
    /the record has \d+ earned, the ledger/,
  ],
  [
    'a line is raised',
    (d, { friend, referrer }) =>
      d.change('referrals', 'sums', { _id: `${referrer.userId}:0` }, { $inc: { [`lines.${friend.userId}.c`]: CORD } }),
    /the line counts/,
  ],
  [
    'the sum of a bucket is raised',
    (d, { referrer }) => d.change('referrals', 'sums', { _id: `${referrer.userId}:0` }, { $inc: { sumMicro: CORD } }),
    /sum of bucket 0/,
  ],
  [
    'a bucket is gone',
    (d, { referrer }) => d.remove('referrals', 'sums', { _id: `${referrer.userId}:0` }),
    /has no line in the bucket/,
  ],
  [
    'everybody’s books are raised, and the ledger is not',
    async (d, { friend, referrer }) => {
      await d.own('referrals.members', friend, {
        $inc: { 'friend.countedMicro': CORD, 'friend.baselineMicro': -CORD },
      });
      await d.change(
        'referrals',
        'sums',
        { _id: `${referrer.userId}:0` },
        { $inc: { [`lines.${friend.userId}.c`]: CORD, sumMicro: CORD } },
      );
    },
    /the ledger paid \d+ commission, expected/,
  ],
  [
    '86 CORD that are credited and not due',
    (d, { friend }) => d.own('referrals.members', friend, { $set: { 'friend.bonus': 'pending' } }),
    /refwelcome:\S+ is pending and paid or owed/,
  ],
  [
    '86 CORD for nobody’s friend',
    (d, { referrer, buyer }) => d.credit(referrer.userId, `refwelcome:${referrer.userId}:${buyer.userId}`, 86n * CORD),
    /refwelcome:\S+ is credited, but the user is not a friend/,
  ],
  [
    'a circle of referrers',
    (d, { referrer, grandchild }) =>
      d.own('referrals.members', referrer, { $set: { referredBy: { userId: grandchild.userId, atMs: 1 } } }),
    /a circle/,
  ],
];
