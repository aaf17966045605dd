import { at, problem, type TestSdk } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, testsOfView } from '../room/testing';
import { REFUNDS, refundsSdk } from './refunds.fixtures';

testsOfView('refunds');

const FIRST = 'Enter transaction, account ffff…fff1, 0.02 SOL';
const RETURNED_BY = '5'.repeat(88);

/** Opens the panel of the first refund, whose field has the focus. */
async function openFirst(sdk: TestSdk) {
  const { user } = await openRoom(sdk);
  await user.click(screen.getByRole('button', { name: FIRST }));
  return { user, panel: within(screen.getByTestId('confirm')) };
}

test('what is owed stands with its wallet in full, its amount and why; what was entered and what did not return it as well', async () => {
  await openRoom(refundsSdk());
  const rows = screen.getAllByTestId('refund').map(({ textContent }) => textContent);
  expect(rows).toHaveLength(4);
  const [first, second, third, fourth] = rows;
  expect(first).toContain('Came after the order had expired');
  expect(first).toContain(`Wallet ${REFUNDS[0]?.walletAddress}`);
  expect(first).toContain('0.02 SOL');
  expect(second).toContain('A deleted account');
  expect(second).toContain('Names no order');
  expect(third).toContain('7777…7777 entered');
  expect(third).not.toContain('Enter transaction');
  expect(fourth).toContain('8888…8888 does not return it');
  expect(screen.getByRole('link', { name: 'Account ffff…fff1' }).getAttribute('href')).toBe(
    `?tab=admin&view=users&user=${REFUNDS[0]?.userId}`,
  );
});

test('a transaction is entered as it is typed, without spaces around it, and no other text is sent', async () => {
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

test('a refusal stands in the panel; with an old sign-in it leads to a new one', async () => {
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

test('the state chooses what is listed, and the next page is read by its cursor', async () => {
  const sdk = refundsSdk();
  const nextCursor = `open-1795000000000-${REFUNDS[0]?.id}`;
  const { user } = await openRoom(sdk);
  sdk.api.on(at.rewards.refunds, { refunds: [...REFUNDS], nextCursor });
  await user.click(screen.getByRole('radio', { name: 'Returned' }));
  await settle();
  await user.click(screen.getByRole('button', { name: 'Next payments' }));
  await settle();
  const queries = sdk.api.callsOf(at.rewards.refunds).map(({ query }) => query);
  // The overview counts what waits by more of them at once.
  expect(queries.filter((query) => JSON.stringify(query).includes('"limit":"25"'))).toEqual([
    { status: 'open', limit: '25' },
    { status: 'returned', limit: '25' },
    { status: 'returned', limit: '25', cursor: nextCursor },
  ]);
});
