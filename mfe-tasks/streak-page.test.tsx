import { rules } from '@cord/contracts/addresses/rules';
import { at, problem, sampleRules, sampleSettings, sampleUser } from '@cord/sdk/testing';
import { advance, cleanup, inFakeTime } from '@cord/sdk/testing/render';
import { expectWhys } from '@cord/ui/testing';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { StreakPage } from './streak-page';
import { CHECKED_IN, CHECKIN, checkedDays, tasksSdk } from './tasks.fixtures';
import { show } from './tasks.stage';

inFakeTime();

const page = <StreakPage view={{ close: () => undefined }} />;
const rowOf = (name: string) => screen.getByText(name).closest('div')?.querySelector('dd')?.textContent;
const cells = () => within(screen.getByRole('grid', { name: 'Five weeks' })).getAllByRole('gridcell');
const focused = () => document.activeElement?.querySelector('span')?.textContent;

test('the view shows what is at stake today, the day’s pay and its end', async () => {
  await show(tasksSdk(), page);
  expect(screen.getByRole('heading', { name: 'Today is open' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Check in for 115 CORD' })).toBeDefined();
  expect(screen.getByText(/streak bonus/).textContent).toBe(
    '50 + 65 streak bonus. Closes in 12 h 56 min, at 00:00 UTC.',
  );
  expect(rowOf('If you check in')).toBe('day 13, tomorrow pays 120');
  expect(rowOf('If you do not')).toBe('day 1 again, tomorrow pays 55');
  expect(rowOf('Back to 120 a day after a miss')).toBe('14 days');
  expect(screen.getByText('4,180.00 CORD')).toBeDefined();
});

test('without a streak, missing a day shows no streak to lose', async () => {
  const sdk = tasksSdk();
  sdk.api.on(at.checkin.status, { ...CHECKIN, currentStreak: 0, nextBonus: 5 });
  await show(sdk, page);
  expect(rowOf('If you check in')).toBe('day 1, tomorrow pays 60');
  expect(rowOf('If you do not')).toBe('no streak, tomorrow pays 55');
});

test('the pay of a check-in follows the rules in force, with every digit', async () => {
  const sdk = tasksSdk();
  sdk.api.on(rules, sampleRules({ checkinMicro: 49_500_000, streakStepMicro: 4_000_000, streakMostMicro: 90_000_000 }));
  await show(sdk, page);
  expect(rowOf('If you do not')).toBe('day 1 again, tomorrow pays 53.5');
  expect(rowOf('If you check in')).toBe('day 13, tomorrow pays 105.5');
});

test('each day is a sentence for screen readers, and arrow keys move inside the grid only', async () => {
  const { user } = await show(tasksSdk(), page);
  expect(
    cells()
      .map((cell) => cell.querySelector('span')?.textContent)
      .slice(31),
  ).toEqual([
    'Thursday 19 November, checked in, 105 CORD',
    'Friday 20 November, checked in, 110 CORD',
    'Saturday 21 November, today, open, 115 CORD',
    'Sunday 22 November, to come, 120 CORD',
  ]);
  expect(cells().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  cells()[33]?.focus();
  await user.keyboard('{ArrowLeft}');
  expect(focused()).toBe('Friday 20 November, checked in, 110 CORD');
  await user.keyboard('{ArrowUp}{Home}');
  expect(focused()).toBe('Monday 9 November, checked in, 55 CORD');
  await user.keyboard('{End}{ArrowDown}{ArrowRight}');
  expect(focused()).toBe('Sunday 22 November, to come, 120 CORD');
});

test.each([
  ['claims-off', '19 Nov: check-ins were switched off for everybody. The day breaks no streak and pays nothing.'],
  ['outage', '19 Nov: CORD was out of reach for everybody. The day breaks no streak and pays nothing.'],
] as const)('a day excused for %s counts as kept, with the reason below the calendar', async (reason, why) => {
  const sdk = tasksSdk();
  const excused = [{ dayKey: '2026-11-19', reason }];
  sdk.api.on(at.checkin.status, { ...CHECKIN, excused }).on(at.checkin.history, checkedDays(13, [2]));
  await show(sdk, page);
  expect(cells()[31]?.querySelector('span')?.textContent).toBe('Thursday 19 November, kept without a check-in');
  expect(screen.getByText(why)).toBeDefined();
  expect(screen.getByText('Kept without a check-in')).toBeDefined();
});

test('the reminder is mentioned only if it is on, with a link to the settings', async () => {
  const sdk = tasksSdk();
  const { user } = await show(sdk, page);
  expect(screen.getByText(/^You get a reminder at 22:00 UTC if today is still open\./)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Change' }));
  expect(sdk.tabs.current.get()).toBe('settings');
  cleanup();

  const off = tasksSdk();
  const notices = { 'streak-closing': 'off' as const };
  off.api.on(at.users.getSettings, sampleSettings({ notices }));
  await show(off, page);
  expect(screen.queryByText(/^You get a reminder/)).toBeNull();
});

test('milestones show the day on which each is reached', async () => {
  await show(tasksSdk(), page);
  const rows = screen.getByRole('heading', { name: 'Milestones' }).closest('section')?.querySelectorAll('li') ?? [];
  expect([...rows].map((row) => row.textContent)).toEqual([
    '7 daysReached on 15 November. Day 7 paid 85 CORD.Reached',
    '20 days28 November, if you keep every day. From day 20 each check-in pays the full 150 CORD.8 check-ins to go',
    '50 days28 December, if you keep every day.38 check-ins to go',
    '100 days16 February 2027, if you keep every day.88 check-ins to go',
  ]);
});

test('a milestone of an earlier streak is shown as reached before, with its day if known', async () => {
  const sdk = tasksSdk();
  sdk.api.on(at.checkin.status, {
    ...CHECKIN,
    currentStreak: 0,
    nextBonus: 5,
    stats: { ...CHECKIN.stats, longestStreak: 21 },
  });
  sdk.api.on(at.checkin.history, [{ dayKey: '2026-11-05', rewardAmount: 50, bonusAmount: 35, streak: 7 }]);
  await show(sdk, page);
  const rows = screen.getByRole('heading', { name: 'Milestones' }).closest('section')?.querySelectorAll('li') ?? [];
  expect([...rows].map((row) => row.textContent).slice(0, 3)).toEqual([
    '7 daysReached before, on 5 November. Next time: 27 November, if you keep every day.7 check-ins to go',
    '20 daysReached before. Next time: 10 December, if you keep every day. From day 20 each check-in pays the full 150 CORD.20 check-ins to go',
    expect.stringMatching(/^50 days9 January 2027/),
  ]);
});

test('a milestone of another year shows the year', async () => {
  const sdk = tasksSdk();
  const stats = { ...CHECKIN.stats, longestStreak: 7 };
  sdk.api.on(at.checkin.status, { ...CHECKIN, dayKey: '2027-01-10', currentStreak: 0, nextBonus: 5, stats });
  sdk.api.on(at.checkin.history, [{ dayKey: '2026-12-20', rewardAmount: 50, bonusAmount: 35, streak: 7 }]);
  await show(sdk, page);
  expect(
    screen.getByText(/^Reached before, on 20 December 2026\. Next time: 16 January, if you keep every day/),
  ).toBeDefined();
});

test('after today’s check-in, the view shows when the next one opens, and nothing is at stake', async () => {
  const sdk = tasksSdk();
  sdk.api.on(at.checkin.status, CHECKED_IN);
  await show(sdk, page);
  expect(screen.getByRole('heading', { name: 'Today is done' })).toBeDefined();
  expect(screen.getByText(/^Next check-in Sun,? 22 Nov/)).toBeDefined();
  expect(screen.queryByText('What is at stake')).toBeNull();
});

test('without a streak the pay of the first day is shown', async () => {
  const sdk = tasksSdk();
  sdk.api.on(at.checkin.history, []).on(at.checkin.status, { ...CHECKIN, currentStreak: 0, nextBonus: 5 });
  await show(sdk, page);
  expect(screen.getByText('No streak yet')).toBeDefined();
  expect(screen.getByText('The first day pays 55 CORD')).toBeDefined();
  expect(screen.queryByText(/a day after a miss/)).toBeNull();
});

test('the check-in works here too; a history that does not load shows its error', async () => {
  const sdk = tasksSdk();
  const { user } = await show(sdk, page);
  sdk.api.on(at.checkin.status, CHECKED_IN);
  await user.click(screen.getByRole('button', { name: 'Check in for 115 CORD' }));
  expect(screen.getByRole('heading', { name: 'Today is done' })).toBeDefined();

  const failing = tasksSdk();
  failing.api.fail(at.checkin.history, problem(500, 'Failed to load check-in history'));
  await show(failing, page);
  expect(screen.getByText('Failed to load check-in history')).toBeDefined();
});

test('in the last two hours the time left has a clock icon', async () => {
  const sdk = tasksSdk();
  await show(sdk, page);
  expect(screen.getByText('12 h 56 min').querySelector('svg')).toBeNull();
  await advance(sdk, 11 * 3_600_000);
  expect(screen.getByText('1 h 56 min').querySelector('svg')).not.toBeNull();
});

test('the card in the Task Center shows the weeks and opens the view, which leads back', async () => {
  const sdk = tasksSdk(undefined, { user: sampleUser() });
  sdk.api.on(at.checkin.history, checkedDays(12, [2]));
  const { user } = await show(sdk);
  const rows = within(screen.getByTestId('streak-calendar')).getAllByRole('row');
  expect(rows).toHaveLength(6);
  expect(rows.at(-1)?.textContent).toContain('Thursday 19 November, missed');
  await user.click(screen.getByRole('link', { name: 'Open calendar' }));
  expect(screen.getByRole('heading', { level: 1, name: 'Streak' })).toBeDefined();
  expect(screen.getAllByTestId('streak-calendar')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Task Center' }));
  expect(screen.getByRole('heading', { level: 1, name: 'Task Center' })).toBeDefined();
});

test('the total of all check-ins is explained by the rules in force', async () => {
  const sdk = tasksSdk();
  sdk.api.on(rules, sampleRules({ checkinMicro: 49_500_000, streakStepMicro: 4_000_000, streakMostMicro: 90_000_000 }));
  const { user } = await show(sdk, page);
  await expectWhys(user, [
    ['All check-ins so far', /49\.5 CORD each, plus 4 for each day of the streak, up to 90 more/],
  ]);
});
