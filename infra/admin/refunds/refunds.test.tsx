import { at, problem, type TestSdk } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, testsOfView } from '../room/testing';
import { REFUNDS, refundsSdk, sampleRefund } from './refunds.fixtures';

testsOfView('refunds');

const FIRST = 'Enter transaction, account ffff…fff1, 0.02 SOL';
const RETURNED_BY = '5'.repeat(88);

/** Opens the panel of the first refund, whose field has the focus. */
async function openFirst(sdk: TestSdk) {
  const { user } = await openRoom(sdk);
  await user.click(screen.getByRole('button', { name: FIRST }));
  return { user, panel: within(screen.getByTestId('confirm')) };
}

test('each refund shows its full wallet, amount and reason, and any entered or rejected transaction', async () => {
  await openRoom(refundsSdk());
  const rows = screen.getAllByTestId('refund').map(({ textContent }) => textContent);
  const wallets = REFUNDS.map(({ walletAddress }) => `Wallet ${walletAddress}Recorded`);
  expect(rows).toEqual([
    `Account ffff…fff1Came after the order had expired${wallets[0]} 20 Nov, 06:03 UTC · Payment 1111…11110.02 SOLEnter transaction`,
    `A deleted accountNames no order${wallets[1]} 20 Nov, 07:03 UTC · Payment 2222…22220.0255 SOLEnter transaction`,
    `Account ffff…fff3The order was already paid${wallets[2]} 20 Nov, 08:03 UTC · Payment 3333…3333 · 7777…7777 entered 21 Nov, 10:03 UTC, not confirmed yet0.02 SOL`,
    `Account ffff…fff4Came from another wallet than the order names${wallets[3]} 20 Nov, 09:03 UTC · Payment 4444…44448888…8888 does not return it: too little, too old, not from the treasury, or not on the chain0.02 SOLEnter transaction`,
  ]);
  expect(screen.getByRole('link', { name: 'Account ffff…fff1' }).getAttribute('href')).toBe(
    `?tab=admin&view=users&user=${REFUNDS[0]?.userId}`,
  );
});

test('a transaction is trimmed and sent; an invalid signature is not sent', async () => {
  const sdk = refundsSdk();
  const { user, panel } = await openFirst(sdk);
  const field = panel.getByLabelText('Transaction');
  expect(document.activeElement).toBe(field);
  await user.type(field, 'not a signature{Enter}');
  expect(panel.getAllByText('A signature has 86 to 88 letters and digits, without spaces.')).not.toEqual([]);
  expect(sdk.api.callsOf(at.rewards.returnRefund)).toEqual([]);
  await user.clear(field);
  await user.click(field);
  await user.paste(` ${RETURNED_BY} `);
  expect(screen.getByTestId('confirm').textContent).toContain(REFUNDS[0]?.walletAddress);
  await user.keyboard('{Enter}');
  await settle();
  expect(sdk.api.callsOf(at.rewards.returnRefund)).toMatchObject([
    { params: { id: REFUNDS[0]?.id }, body: { returnTransaction: RETURNED_BY } },
  ]);
  expect(sdk.shown).toMatchObject([{ kind: 'success', title: 'Recorded. It is being looked up on the chain.' }]);
  expect(screen.getAllByTestId('refund')[0]?.textContent).toContain('5555…5555 entered');
});

test('an error is shown in the panel; with an old sign-in it links to a new one', async () => {
  const sdk = refundsSdk();
  sdk.api.fail(at.rewards.returnRefund, problem(409, 'A transaction is already recorded', 'refund-noted'));
  const { user, panel } = await openFirst(sdk);
  await user.type(panel.getByLabelText('Transaction'), `${RETURNED_BY}{Enter}`);
  await settle();
  expect(panel.getByText('A transaction is already recorded')).toBeDefined();
  sdk.api.fail(at.rewards.returnRefund, problem(403, 'Please sign in again', 'sign-in-too-old'));
  await user.keyboard('{Enter}');
  await settle();
  expect(panel.getByRole('link', { name: 'Sign in again' })).toBeDefined();
});

test('the list is filtered by state and paged; a new state starts at its first page, busy until it is loaded', async () => {
  const sdk = refundsSdk();
  const nextCursor = `open-1795000000000-${REFUNDS[0]?.id}`;
  const { user } = await openRoom(sdk);
  const proven = sampleRefund(5, {
    ...{ status: 'returned', proof: 'proven', reason: 'of-a-newer-service' as 'paid-twice' },
    ...{ returnTransaction: '9'.repeat(88), returnedAt: '2026-11-21T09:00:00Z' },
    disproved: { transaction: '8'.repeat(88), at: '2026-11-21T08:00:00Z' },
  });
  const pages = sdk.api.hold(at.rewards.refunds);
  await user.click(screen.getByRole('radio', { name: 'Returned' }));
  const isBusy = () => screen.getAllByTestId('refund')[0]?.closest('[aria-busy]')?.getAttribute('aria-busy');
  expect(isBusy()).toBe('true');
  sdk.api.on(at.rewards.refunds, { refunds: [proven], nextCursor });
  pages.answer({ refunds: [proven], nextCursor });
  await settle();
  expect([isBusy(), screen.getByTestId('refund').textContent]).toEqual([
    'false',
    expect.stringMatching(/of-a-newer-service.* · 9999…9999 returned it, entered 21 Nov, 09:00 UTC0\.02 SOL$/),
  ]);
  await user.click(screen.getByRole('button', { name: 'Next payments' }));
  await settle();
  await user.click(screen.getByRole('radio', { name: 'Open' }));
  await settle(16_000);
  const queries = sdk.api.callsOf(at.rewards.refunds).map(({ query }) => query);
  // The overview counts what waits by more of them at once.
  expect(queries.filter((query) => JSON.stringify(query).includes('"limit":"25"'))).toEqual([
    { status: 'open', limit: '25' },
    { status: 'returned', limit: '25' },
    { status: 'returned', limit: '25', cursor: nextCursor },
    { status: 'open', limit: '25' },
  ]);
});
