import { at, offline, problem, sampleUser } from '@cord/sdk/testing';
import { advance, backInReach, inFakeTime, outOfReach, settle } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CheckinButton } from './checkin-button';
import { CHECKED_IN, CHECKIN, checkedDays, TASKS, tasksSdk } from './tasks.fixtures';
import { buttonIn, card, show, toasts } from './tasks.stage';

inFakeTime();

test('a check-in pays the amount shown, with a toast of 4 s, and the card then shows Claimed today', async () => {
  const sdk = tasksSdk();
  const { user } = await show(sdk);
  expect(screen.getByText('50 + 65 streak bonus')).toBeDefined();
  expect(screen.getByText('Today closes in 12:56:43 (UTC)')).toBeDefined();
  sdk.api.on(at.checkin.status, CHECKED_IN);
  await user.click(screen.getByRole('button', { name: 'Check in for 115 CORD' }));
  expect(toasts(sdk)).toEqual([
    ['success', 'Daily Check-in Complete!', 'Earned 50 CORD + 65 CORD bonus! Streak: 13 days.', 4_000],
  ]);
  expect(screen.getByText('Claimed today')).toBeDefined();
  expect(screen.getByText(/^Next check-in Sun,? 22 Nov/)).toBeDefined();
  expect(sdk.session.state.get().user?.daily_checkin_claimed).toBe(true);
});

test('a completed check-in is not offered again while status and tasks are being read', async () => {
  const sdk = tasksSdk();
  const { user } = await show(sdk);
  sdk.api.hang(at.checkin.status).hang(at.tasks.mine);
  await user.click(screen.getByRole('button', { name: 'Check in for 115 CORD' }));
  expect(screen.queryByRole('button', { name: /^Check in/ })).toBeNull();
  expect(screen.getByText('Claimed today')).toBeDefined();
  expect(screen.getByText(/^Next check-in Sun,? 22 Nov/)).toBeDefined();
  expect(screen.getByTestId('streak').getAttribute('data-value')).toBe('13');
  expect(card('daily-checkin').textContent).toContain('Completed');
});

test('the card shows an error while the server is unreachable, and loads after a reconnect', async () => {
  const sdk = tasksSdk();
  await outOfReach(sdk);
  await show(sdk);
  expect(screen.getByText('The check-in could not be loaded')).toBeDefined();
  await backInReach(sdk);
  await settle();
  expect(screen.queryByText('The check-in could not be loaded')).toBeNull();
  expect(screen.getByRole('button', { name: 'Check in for 115 CORD' })).toBeDefined();
});

test('a response for the previous day leaves today’s check-in open', async () => {
  const sdk = tasksSdk();
  const ofYesterday = {
    id: sampleUser().id,
    daily_checkin_claimed: true,
    serverTime: '2026-11-20T23:59:59.000Z',
    balanceSeq: '102',
    current_balance: 48_328.57,
  };
  sdk.api.on(at.checkin.perform, {
    success: true,
    rewardAmount: 50,
    bonusAmount: 60,
    newStreak: 12,
    newBalance: 48_328.57,
    updatedUser: ofYesterday,
    pending: false,
  });
  const { user } = await show(sdk);
  sdk.api.hang(at.checkin.status).hang(at.tasks.mine);
  await user.click(screen.getByRole('button', { name: 'Check in for 115 CORD' }));
  expect(screen.getByRole('button', { name: 'Check in for 115 CORD' })).toBeDefined();
  expect(buttonIn('daily-checkin', 'Check in')).toBeDefined();
});

test('the time left of the day follows the server’s clock', async () => {
  const sdk = tasksSdk();
  await show(sdk);
  await advance(sdk, 3_000);
  expect(screen.getByText('Today closes in 12:56:40 (UTC)')).toBeDefined();
});

test('an open check-in offers the new day’s amount as soon as a UTC day begins', async () => {
  const sdk = tasksSdk(TASKS, { nowMs: Date.UTC(2026, 10, 22) - 10_000 });
  await show(sdk);
  expect(screen.getByRole('button', { name: 'Check in for 115 CORD' })).toBeDefined();
  sdk.api.on(at.checkin.status, { ...CHECKIN, dayKey: '2026-11-22', currentStreak: 0, nextBonus: 5 });
  await advance(sdk, 11_000);
  await settle(11_000);
  expect(screen.getByRole('button', { name: 'Check in for 55 CORD' })).toBeDefined();
});

test('a status of the previous day is read again within a minute', async () => {
  const sdk = tasksSdk(TASKS, { nowMs: Date.UTC(2026, 10, 22) + 1_000 });
  await show(sdk);
  sdk.api.on(at.checkin.status, { ...CHECKIN, dayKey: '2026-11-22', currentStreak: 0, nextBonus: 5 });
  await settle(60_000);
  expect(screen.getByRole('button', { name: 'Check in for 55 CORD' })).toBeDefined();
});

test('the toast of a check-in has the amounts of the button, with every digit', async () => {
  const sdk = tasksSdk();
  sdk.api.on(at.checkin.status, { ...CHECKIN, nextReward: 52.5, nextBonus: 12.25 });
  const paid = { rewardAmount: 52.5, bonusAmount: 12.25, newStreak: 13, newBalance: 48_277.82, pending: false };
  const updatedUser = {
    id: sampleUser().id,
    daily_checkin_claimed: true,
    balanceSeq: '102',
    current_balance: 48_277.82,
  };
  sdk.api.on(at.checkin.perform, { success: true, ...paid, updatedUser });
  const { user } = await show(sdk);
  await user.click(screen.getByRole('button', { name: 'Check in for 64.75 CORD' }));
  expect(toasts(sdk)[0]?.[2]).toBe('Earned 52.5 CORD + 12.25 CORD bonus! Streak: 13 days.');
});

test('a failed check-in shows an error, with a toast of 4 s, and can be retried', async () => {
  const sdk = tasksSdk();
  sdk.api.fail(at.checkin.perform, problem(500, 'Failed to perform check-in'));
  const { user } = await show(sdk);
  await user.click(screen.getByRole('button', { name: 'Check in for 115 CORD' }));
  expect(toasts(sdk)).toEqual([['error', 'Check-in Failed', 'Please try again', 4_000]]);
  expect(screen.getByText('Failed to perform check-in')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Check in for 115 CORD' }).getAttribute('aria-disabled')).toBeNull();
});

test('while a check-in is sent, both of its buttons are disabled', async () => {
  const sdk = tasksSdk();
  sdk.api.hang(at.checkin.perform);
  const { user } = await show(sdk);
  await user.click(buttonIn('daily-checkin', 'Check in'));
  expect(screen.getAllByRole('button', { name: 'Checking in...' })).toHaveLength(2);
  await user.click(buttonIn('daily-checkin', 'Checking in...'));
  expect(sdk.api.callsOf(at.checkin.perform)).toHaveLength(1);
});

test.each([
  [at.checkin.status, 'Failed to load check-in status', CHECKIN],
  [at.checkin.history, 'Failed to load check-in history', checkedDays(6)],
])(
  'a part of the check-in that does not load shows its error, and Retry reads it: %#',
  async (endpoint, text, answer) => {
    const sdk = tasksSdk();
    sdk.api.fail(endpoint, problem(500, text));
    const { user } = await show(sdk);
    expect(screen.getByText(text)).toBeDefined();
    sdk.api.on(endpoint, answer as never);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(screen.getByTestId('streak-calendar')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  },
);

test('a check-in with a lost response is retried with the same idempotency key; the next day has a new one', async () => {
  const sdk = tasksSdk();
  sdk.api.fail(at.checkin.perform, offline());
  const { user } = await show(sdk);
  await user.click(screen.getByRole('button', { name: 'Check in for 115 CORD' }));
  const keys = () => sdk.api.callsOf(at.checkin.perform).map(({ idempotencyKey }) => idempotencyKey);
  expect(keys().length).toBeGreaterThan(1);
  expect(new Set(keys()).size).toBe(1);
  await advance(sdk, 86_400_000);
  await user.click(screen.getByRole('button', { name: 'Check in for 115 CORD' }));
  expect(new Set(keys()).size).toBe(2);
});

test('the check-in is available as a single button, which disappears once it is done', async () => {
  const sdk = tasksSdk();
  const { user } = await show(sdk, <CheckinButton />);
  const button = screen.getByRole('button', { name: /^Check in for \d+ CORD$/ });
  sdk.api.on(at.checkin.status, CHECKED_IN);
  await user.click(button);
  expect(sdk.api.callsOf(at.checkin.perform)).toHaveLength(1);
  await settle(2_000);
  expect(screen.queryByRole('button')).toBeNull();
});
