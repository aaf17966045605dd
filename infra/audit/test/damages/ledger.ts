import type { Damaging } from '../damaging.js';
import { CORD, DAY_MS, type Damage, nextDay } from './damage.js';

/** Damages of accounts, entries, days and sessions. */
export const ledger: Damage[] = [
  [
    'a balance is raised',
    (d, { friend }) => d.raise(friend.userId, ['balanceMicro']),
    /balance \d+, entries and open sum to/,
  ],
  [
    'the total of all time is raised',
    (d, { friend }) => d.raise(friend.userId, ['totals.allMicro']),
    /total of all time/,
  ],
  ['a source is raised', (d, { friend }) => d.raise(friend.userId, ['totals.bySource.task']), /total of task/],
  [
    'a day is raised',
    (d, { friend }) => d.raise(friend.userId, ['totals.day.micro']),
    /day \S+: the amount for rankings/,
  ],
  [
    'a week is raised',
    (d, { friend }) => d.raise(friend.userId, ['totals.week.micro']),
    /week \S+: the amount for rankings/,
  ],
  [
    'a month is raised',
    (d, { friend }) => d.raise(friend.userId, ['totals.month.micro']),
    /month \S+: the amount for rankings/,
  ],
  [
    'what was mined in a week is raised',
    (d, { friend }) => d.raise(friend.userId, ['totals.week.miningMicro']),
    /week \S+: mined/,
  ],
  [
    'a source of the day is raised',
    (d, { friend }) => d.raise(friend.userId, ['totals.day.bySource.mining']),
    /day \S+: mining/,
  ],
  [
    'the epoch is raised',
    (d, { friend }) => d.raise(friend.userId, ['epoch.micro'], 100_000n * CORD),
    /mined in the epoch/,
  ],
  ['the session is raised', (d, { friend }) => d.raise(friend.userId, ['node.sessionMicro']), /mined in the session/],
  [
    'node time is raised',
    (d, { friend }) => d.own('mining.accounts', friend, { $inc: { 'node.ranMs': 60_000 } }),
    /node time of all sessions/,
  ],
  [
    'the remainder is out of its range',
    (d, { friend }) => d.raise(friend.userId, ['node.carry'], 60_000_000n),
    /remainder of mining/,
  ],
  [
    'an account is set back to an earlier version',
    async (d, { friend }) => {
      const last = await lastEntry(d, friend.userId);
      await d.own('mining.accounts', friend, { $set: { seq: last.seq - 1n } });
    },
    /behind its entry of seq/,
  ],
  [
    'an account is gone',
    (d, { friend }) => d.remove('mining', 'accounts', { _id: friend.userId }),
    /entries and no account/,
  ],
  [
    'an entry is gone',
    async (d, { friend }) => d.remove('mining', 'entries', { _id: (await firstMined(d, friend.userId))._id }),
    /entry \S+ \(seq \d+\): balance after it is/,
  ],
  [
    'the last entry is gone',
    async (d, { friend }) => d.remove('mining', 'entries', { _id: (await lastEntry(d, friend.userId))._id }),
    /balance \d+, entries and open sum to/,
  ],
  [
    'the amount of an entry is raised',
    (d, { friend }) => d.own('mining.entries', friend, { $inc: { amountMicro: CORD } }, { source: 'mining' }),
    /entry mining:\S+ \(seq \d+\): balance after it is/,
  ],
  [
    'the balance after an entry is raised',
    (d, { friend }) => d.own('mining.entries', friend, { $inc: { balanceMicro: CORD } }, { source: 'mining' }),
    /entry mining:\S+ \(seq \d+\): balance after it is/,
  ],
  [
    'the reason of an entry is another',
    (d, { friend }) => d.own('mining.entries', friend, { $set: { reason: 'Other' } }, { source: 'mining' }),
    /entry mining:\S+ \(seq \d+\): its hash is not the hash of its fields/,
  ],
  [
    'the number of an entry is another',
    (d, { friend }) => d.own('mining.entries', friend, { $inc: { n: 1 } }, { source: 'mining' }),
    /entry mining:\S+ \(seq \d+\): its number is \d+, expected \d+/,
  ],
  [
    'the facts of an entry are others',
    (d, { friend }) => d.own('mining.entries', friend, { $set: { facts: '1 1 1' } }, { source: 'mining' }),
    /entry mining:\S+ \(seq \d+\): its amount \d+ does not match its facts 1 1 1/,
  ],
  [
    'the head of an account is another',
    (d, { friend }) => d.own('mining.accounts', friend, { $set: { 'chain.head': 'x' } }),
    /the head of its chain is not the hash of its last entry/,
  ],
  [
    'an account is older in the ledger than in auth',
    (d, { friend }) => d.own('mining.accounts', friend, { $set: { 'factors.discordCreatedAtMs': 1 } }),
    /discordCreatedAtMs is 1 in the ledger, \d+ in auth/,
  ],
  [
    'the network check is another one in the ledger than in auth',
    (d, { friend }) => d.own('mining.accounts', friend, { $set: { 'factors.antiCheatHundredths': 200n } }),
    /the factor of the network check is 200 in the ledger, \d+ in auth/,
  ],
  [
    'a second welcome under another key',
    (d, { friend }) => d.credit(friend.userId, `welcome:${friend.userId}:again`, 500n * CORD),
    /its key is malformed/,
  ],
  [
    'a check-in of 9,999',
    (d, { grandchild }) => d.credit(grandchild.userId, `checkin:${grandchild.userId}:2020-02-30`, 9_999n * CORD),
    /its key is malformed/,
  ],
  [
    'a check-in that no streak pays',
    async (d, { grandchild }) => {
      const day = await nextDay(d, grandchild.userId);
      await d.credit(grandchild.userId, `checkin:${grandchild.userId}:${day}`, 56n * CORD, Date.parse(day));
    },
    /an amount for no streak/,
  ],
  [
    'an entry under another user’s key',
    (d, { friend, referrer }) => d.credit(friend.userId, `compensation:${referrer.userId}`, 5_000n * CORD),
    /its key belongs to/,
  ],
  [
    'an entry of one source under the key of another',
    (d, { friend }) =>
      d.change('mining', 'entries', { _id: `refbonus:${friend.userId}` }, { $set: { source: 'task' } }),
    /its key has source refbonus, the entry task/,
  ],
  [
    'a mining entry under another seq than its own',
    (d, { friend }) => d.credit(friend.userId, `mining:${friend.userId}:999999`, CORD),
    /its key has seq 999999/,
  ],
  [
    'compensation of another amount',
    (d, { referrer }) => d.credit(referrer.userId, `compensation:${referrer.userId}`, 50_000n * CORD),
    /it pays 50000000000, expected 5000000000/,
  ],
  [
    'an entry of next year',
    async (d, { grandchild }) => {
      const { totals } = await d.account(grandchild.userId);
      await d.credit(
        grandchild.userId,
        `task:follow-x:${grandchild.userId}:once`,
        CORD,
        totals.allReachedAtMs + 366 * DAY_MS,
      );
    },
    /in the future/,
  ],
  [
    'a finished day is raised',
    (d, { friend }) =>
      d.own('mining.days', friend, { $inc: { 'bySource.mining': CORD } }, { 'bySource.mining': { $gt: 0n } }),
    /day \S+: mining is/,
  ],
  [
    'a finished day is gone',
    (d, { friend }) => d.remove('mining', 'days', { userId: friend.userId }),
    /is missing from the finished days/,
  ],
  [
    'a finished day has too little node time for what was mined',
    (d, { friend }) => d.own('mining.days', friend, { $set: { ranMs: 60_000 } }, { 'bySource.mining': { $gt: 0n } }),
    /mined in 60000 ms of node time, at most/,
  ],
  [
    'a session earned more than its time gives',
    (d, { friend }) => d.own('mining.sessions', friend, { $inc: { earnedMicro: 100_000n * CORD } }),
    /session \S+: \d+ mined in \d+ ms, at most/,
  ],
  [
    'a session is gone',
    (d, { friend }) => d.remove('mining', 'sessions', { userId: friend.userId }),
    /mined in all sessions/,
  ],
  [
    'a credit after the erasure',
    async (d, { erasedFriend }) => {
      const { erasedAtMs } = await d.account(erasedFriend.userId);
      await d.credit(
        erasedFriend.userId,
        `task:follow-x:${erasedFriend.userId}:once`,
        CORD,
        (erasedAtMs ?? 0) + 2 * 3_600_000,
      );
    },
    /was made after the user was erased/,
  ],
  [
    'the node of an erased user runs',
    (d, { erasedFriend }) => d.own('mining.accounts', erasedFriend, { $set: { 'node.status': 'active' } }),
    /node of an erased user runs/,
  ],
];
async function lastEntry(d: Damaging, userId: string) {
  const [last] = await d.collection('mining', 'entries').find({ userId }).sort({ seq: -1 }).limit(1).toArray();
  return last as unknown as { _id: string; seq: bigint };
}

async function firstMined(d: Damaging, userId: string) {
  const own = d.collection('mining', 'entries').find({ userId, source: 'mining' });
  const [first] = await own.sort({ seq: 1 }).limit(1).toArray();
  return first as unknown as { _id: string };
}
