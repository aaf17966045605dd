import { describe, expect, test } from 'vitest';
import { readLedgerKey } from './ledger-keys.js';

const user = 'a'.repeat(32);
const friend = 'b'.repeat(32);

describe('a key of each source is parsed', () => {
  test.each([
    [`welcome:${user}`, { source: 'welcome', userId: user }],
    [`refbonus:${user}`, { source: 'refbonus', userId: user }],
    [`compensation:${user}`, { source: 'compensation', userId: user }],
    [`cordclaim:${user}`, { source: 'cordclaim', userId: user }],
    [`refwelcome:${user}:${friend}`, { source: 'refwelcome', userId: user, friendId: friend }],
    [`checkin:${user}:2026-11-21`, { source: 'checkin', userId: user, dayKey: '2026-11-21' }],
    [`checkin:${user}:2028-02-29`, { source: 'checkin', userId: user, dayKey: '2028-02-29' }],
    [`task:follow-x:${user}:once`, { source: 'task', userId: user, taskId: 'follow-x' }],
    [`task:mine-1-hour:${user}:12`, { source: 'task', userId: user, taskId: 'mine-1-hour', claim: 12 }],
    [`task:weekly:${user}:2026-W53`, { source: 'task', userId: user, taskId: 'weekly', weekKey: '2026-W53' }],
    [`correction:${user}:${friend}`, { source: 'correction', userId: user, correctionId: friend }],
    [`mining:${user}:7`, { source: 'mining', userId: user, seq: 7n }],
    [`commission:${user}:9223372036854775807`, { source: 'commission', userId: user, seq: 9223372036854775807n }],
  ])('%s', (key, read) => expect(readLedgerKey(key)).toEqual(read));
});

describe('any other text is not a key', () => {
  test.each([
    ['nothing', ''],
    ['a source alone', 'welcome'],
    ['no source', `:${user}`],
    ['an unknown source', `gift:${user}`],
    ['a name that every object has', `constructor:${user}`],
    ['a second one-time reward', `compensation:${user}:2`],
    ['a second one-time reward, named before the user', `cordclaim:again:${user}`],
    ['no user', 'welcome:nouser'],
    ['an id in capitals', `welcome:${'A'.repeat(32)}`],
    ['an id with a line after it', `welcome:${user}\n`],
    ['a friend who is the referrer', `refwelcome:${user}:${user}`],
    ['no friend', `refwelcome:${user}`],
    ['a second bonus for one friend', `refwelcome:${user}:${friend}:2`],
    ['no day', `checkin:${user}:day`],
    ['a day that no calendar has', `checkin:${user}:2026-02-30`],
    ['a month that no calendar has', `checkin:${user}:2026-13-01`],
    ['a day with something after it', `checkin:${user}:1999-01-01:z`],
    ['a day of six digits', `checkin:${user}:+12026-01-01`],
    ['a period of any kind', `task:x1:${user}:anything`],
    ['no period', `task:x1:${user}`],
    ['a claim 0', `task:x1:${user}:0`],
    ['a number in a second form', `task:x1:${user}:01`],
    ['week 0', `task:x1:${user}:2026-W00`],
    ['a 53rd week of a year that has 52', `task:x1:${user}:2025-W53`],
    ['a task without a name', `task::${user}:once`],
    ['a task with a colon in its name', `task:a:b:${user}:once`],
    ['a correction without a proposal', `correction:${user}`],
    ['a correction under any other name', `correction:${user}:2`],
    ['a correction of a correction', `correction:${user}:${friend}:2`],
    ['an entry without a number', `mining:${user}`],
  ])('%s', (_, key) => expect(readLedgerKey(key)).toBeNull());
});
