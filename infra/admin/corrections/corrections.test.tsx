import { at } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, testsOfView } from '../room/testing';
import { HARBOUR_ID, usersSdk } from '../users/users.fixtures';
import { correctionsSdk, sampleCorrection } from './corrections.fixtures';

testsOfView('corrections');

test('an operator confirms the proposal of another one, and can only withdraw their own', async () => {
  const sdk = correctionsSdk();
  const { user } = await openRoom(sdk);
  const rows = () => screen.getAllByTestId('correction').map((row) => within(row));
  expect(rows()).toHaveLength(2);
  const [other, own] = rows();
  expect(other?.getByText('-2,400.00 CORD')).toBeDefined();
  expect(own?.getByText(/by you/)).toBeDefined();
  expect(
    own?.getByRole('button', { name: 'Confirm, account ffff…fff2, +150.00 CORD' }).getAttribute('aria-disabled'),
  ).toBe('true');
  expect(own?.getByText('Another operator has to confirm your proposal.')).toBeDefined();
  await user.click(other!.getByRole('button', { name: 'Confirm, account ffff…fff1, -2,400.00 CORD' }));
  const panel = within(screen.getByTestId('confirm'));
  await user.paste('I have seen the log');
  await user.click(panel.getByRole('button', { name: 'Confirm' }));
  expect(rows()).toHaveLength(1);
  await user.click(rows()[0]!.getByRole('button', { name: 'Withdraw, account ffff…fff2, +150.00 CORD' }));
  await user.paste('It was there');
  await user.click(within(screen.getByTestId('confirm')).getByRole('button', { name: 'Withdraw' }));
  expect(sdk.api.callsOf(at.corrections.decide).map(({ params, body }) => [params, body])).toEqual([
    [{ id: sampleCorrection(1).id }, { decision: 'confirm', reason: 'I have seen the log' }],
    [{ id: sampleCorrection(2).id }, { decision: 'withdraw', reason: 'It was there' }],
  ]);
  expect(sdk.shown.map(({ title }) => title)).toEqual(['Confirmed.', 'Withdrawn.']);
  expect(screen.getByText('No correction needs a second operator.')).toBeDefined();
});

test('a confirmed correction can be withdrawn until it is in the ledger', async () => {
  const sdk = correctionsSdk();
  sdk.tabs.setParam('admin', 'state', 'confirmed');
  const confirmed = { state: 'confirmed' as const, decidedBy: 'd'.repeat(32), decidedAt: new Date(0).toISOString() };
  const corrections = [sampleCorrection(1, { ...confirmed, booked: true }), sampleCorrection(2, confirmed)];
  sdk.api.on(at.corrections.list, { corrections, nextCursor: null });
  const { user } = await openRoom(sdk);
  const [booked, due] = screen.getAllByTestId('correction').map((row) => within(row));
  expect(booked?.queryByRole('button')).toBeNull();
  expect(
    due?.getByText(/ · Confirmed .* UTC by dddd…dddd · Not in the ledger yet: until then it can be withdrawn$/),
  ).toBeDefined();
  expect(due?.queryByRole('button', { name: /^Confirm/ })).toBeNull();
  await user.click(due!.getByRole('button', { name: 'Withdraw, account ffff…fff2, -2,400.00 CORD' }));
  expect(screen.getByTestId('confirm').textContent).toMatch(/Confirmed.*Withdrawn/);
  await user.paste('The balance is too low');
  await user.click(within(screen.getByTestId('confirm')).getByRole('button', { name: 'Withdraw' }));
  expect(sdk.api.callsOf(at.corrections.decide).map(({ params, body }) => [params, body])).toEqual([
    [{ id: sampleCorrection(2).id }, { decision: 'withdraw', reason: 'The balance is too low' }],
  ]);
});

test('a correction shows every decimal, in the list and in its panel', async () => {
  const sdk = correctionsSdk();
  const corrections = [sampleCorrection(1, { amount: -0.000001 }), sampleCorrection(2, { amount: 1_234.5678 })];
  sdk.api.on(at.corrections.list, { corrections, nextCursor: null });
  const { user } = await openRoom(sdk);
  expect(screen.getByText('-0.000001 CORD')).toBeDefined();
  expect(screen.getByText('+1,234.5678 CORD')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Confirm, account ffff…fff1, -0.000001 CORD' }));
  expect(within(screen.getByTestId('confirm')).getByRole('heading').textContent).toContain('-0.000001');
});

test('a selected correction that leaves the list closes its panel and enables the other buttons', async () => {
  const sdk = correctionsSdk();
  const { user } = await openRoom(sdk);
  const withdraw = () => screen.getAllByRole('button', { name: /^Withdraw, / });
  await user.click(withdraw()[0]!);
  expect(screen.getByTestId('confirm')).toBeDefined();
  expect(withdraw()[1]?.getAttribute('aria-disabled')).toBe('true');
  // Another operator has decided about it.
  const withdrawn = [
    sampleCorrection(1, { state: 'withdrawn', decidedBy: 'd'.repeat(32) }),
    sampleCorrection(3, { state: 'withdrawn', decidedBy: null }),
  ];
  const corrections = [sampleCorrection(2)];
  sdk.api.on(at.corrections.list, ({ query }) => ({
    corrections: query?.state === 'withdrawn' ? withdrawn : corrections,
    nextCursor: null,
  }));
  await settle(15_000);
  expect(withdraw().map((button) => button.getAttribute('aria-disabled'))).not.toContain('true');
  await user.click(screen.getByRole('radio', { name: 'Withdrawn' }));
  expect(screen.getAllByTestId('correction')).toHaveLength(2);
  expect(screen.getAllByText(/who proposed it has deleted the account/)).toHaveLength(1);
  expect(screen.queryByTestId('confirm')).toBeNull();
});

test('a correction is proposed on the account’s page, with a valid amount only', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api.on(at.corrections.propose, sampleCorrection(3));
  const { user } = await openRoom(sdk);
  await settle();
  await user.click(screen.getByRole('button', { name: 'Correct the balance' }));
  const panel = within(screen.getByTestId('confirm'));
  const amount = panel.getByLabelText('Amount in CORD');
  const propose = panel.getByRole('button', { name: 'Propose correction' });
  await user.type(panel.getByLabelText('Reason, recorded in Audit'), 'Paid twice');
  for (const typed of ['', '0', 'much', '-0.0000001', '1000000.1', '10,000', '1.000']) {
    await user.clear(amount);
    if (typed) await user.type(amount, typed);
    expect(propose.getAttribute('aria-disabled')).toBe('true');
  }
  await user.clear(amount);
  expect(panel.queryByText('Change of the balance')).toBeNull();
  await user.type(amount, '+1000');
  expect(panel.getByText('Change of the balance').nextElementSibling?.textContent).toBe('+1,000.00 CORD');
  await user.clear(amount);
  await user.type(amount, '-86.5');
  expect(panel.getByText('Change of the balance').nextElementSibling?.textContent).toBe('-86.50 CORD');
  await user.click(propose);
  expect(sdk.api.callsOf(at.corrections.propose).map(({ params, body }) => [params, body])).toEqual([
    [{ id: HARBOUR_ID }, { amount: -86.5, reason: 'Paid twice' }],
  ]);
  expect(screen.queryByTestId('confirm')).toBeNull();
});
