import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { FIRST_BOOK, FIRST_BOOKS } from '@cord/contracts/rules/rule-book';
import { RULES_AGE_MS_MAX } from '@cord/kit/bounds';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, expect, test } from 'vitest';
import { HOUR, openTaskCenter, type TaskCenter } from './test/people.js';

const tasks = forAllTests(() => openTaskCenter());
beforeEach(() => {
  tasks.ledger.down = false;
  tasks.ledger.books = FIRST_BOOKS;
});

type User = Awaited<ReturnType<TaskCenter['newcomer']>>;
const checkIn = (user: User) =>
  call(tasks.url, checkinEndpoints.perform, { body: { userId: user.userId }, token: user.token });
const status = async (user: User) =>
  (await call(tasks.url, checkinEndpoints.status, { params: { userId: user.userId }, token: user.token })).body;

test('a change of the rules pays by the old book before its time, and by the new book from its first ms on', async () => {
  const [early, late] = [await tasks.newcomer(), await tasks.newcomer()];
  const fromMs = tasks.clock.now() + HOUR;
  const tiers = [{ fromYears: 0, hundredths: 150 }];
  const second = { ...FIRST_BOOK, version: 2, fromMs, checkinMicro: 40_000_000, streakStepMicro: 1_000_000, tiers };
  tasks.ledger.books = [FIRST_BOOK, second];
  await tasks.clock.advance(HOUR - 1);
  expect((await checkIn(early)).body).toMatchObject({ rewardAmount: 50, bonusAmount: 5 });
  expect(await status(late)).toMatchObject({ nextReward: 50, nextBonus: 5 });
  // 5.5 years: x3.5.
  expect((await early.complete('early-adopter')).body).toMatchObject({ reward: 2_625 });
  await tasks.clock.advance(1);
  expect(await status(late)).toMatchObject({ nextReward: 40, nextBonus: 1 });
  expect((await checkIn(late)).body).toMatchObject({ rewardAmount: 40, bonusAmount: 1 });
  expect((await late.complete('early-adopter')).body).toMatchObject({ reward: 1_125 });
  // Earlier rewards stay as they were.
  expect(await status(early)).toMatchObject({ nextReward: 50, nextBonus: 5 });
});

test('nothing is paid by outdated rules; the same call succeeds once the ledger is back', async () => {
  const user = await tasks.newcomer();
  await status(user);
  tasks.ledger.down = true;
  tasks.clock.pass(RULES_AGE_MS_MAX + 1);
  const refused = await checkIn(user);
  expect([refused.status, refused.problem.type]).toEqual([503, 'rules-old']);
  expect((await user.complete('early-adopter')).status).toBe(503);
  expect(await status(user)).toMatchObject({ canCheckIn: true, currentStreak: 0 });
  tasks.ledger.down = false;
  expect((await checkIn(user)).status).toBe(200);
});
