import { at } from '@cord/sdk/testing';
import { act, inFakeTime, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ADDRESS, ORDER, SIGNATURE } from './wallet.fixtures';
import { buy, offer } from './wallet.stage';

const { createOrder, orders } = at.rewards;

inFakeTime();

const IN_DOUBT = {
  reason: 'Your payment was sent but is not confirmed yet. We are still looking for it. Please do not pay again.',
  why: 'in-doubt',
} as const;

test('a payment in doubt is never shown as failed or not received, and cannot be paid again at once', async () => {
  const { sdk, press } = await buy();
  sdk.api.on(orders, [{ ...ORDER, ...IN_DOUBT }]);
  await settle(3_100);
  const dialog = within(screen.getByRole('dialog'));
  expect(screen.getByRole('dialog').textContent).toContain(`Paid, outcome unknown${IN_DOUBT.reason}`);
  expect(screen.getByRole('dialog').textContent).not.toMatch(/Not received|Waiting|Nothing is charged/);
  expect(dialog.getByText('Checking')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull();
  expect(screen.queryByTestId('purchase-failed')).toBeNull();
  expect(screen.queryByText('Processing...')).toBeNull();
  expect(screen.getByTestId('payment-underway').textContent).toContain(`Paid, outcome unknown${IN_DOUBT.reason}`);
  sdk.api.on(orders, [{ ...ORDER, status: 'confirmed', transactionHash: SIGNATURE }]);
  await press('Check again');
  expect(sdk.session.state.get().user?.hasbadgeofhonor).toBe(true);
});

test('the code of a payment in doubt is not shown again, as it could be paid twice', async () => {
  const { sdk, press } = await offer();
  await press('Purchase Badge');
  await press(/Wallet on another device/);
  expect(screen.getByTestId('scan-to-pay').textContent).toContain('does not name your order');
  sdk.api.on(orders, [{ ...ORDER, ...IN_DOUBT }]);
  await settle(3_100);
  expect(screen.queryByTestId('scan-to-pay')).toBeNull();
  expect(screen.getByRole('dialog').textContent).toContain(`Paid, outcome unknown${IN_DOUBT.reason}`);
});

test('a code disappears when its price expires, even while the server is unreachable', async () => {
  const { sdk, press } = await offer();
  await press('Purchase Badge');
  await press(/Wallet on another device/);
  act(() => sdk.connection.lostAtMs.set(sdk.clock.now()));
  act(() => sdk.clock.set(Date.parse(ORDER.expiresAt) - 1));
  await settle();
  expect(screen.getByTestId('scan-to-pay')).toBeDefined();
  act(() => sdk.clock.advance(1));
  await settle();
  expect(screen.queryByTestId('scan-to-pay')).toBeNull();
  expect(screen.getByTestId('badge-order').textContent).not.toContain('Try Again');
});

test.each(['sent', 'confirmed'] as const)(
  'a code disappears once another order is %s, as both would be paid',
  async (status) => {
    const { sdk, press } = await offer();
    await press('Purchase Badge');
    await press(/Wallet on another device/);
    const other = { ...ORDER, id: 'd'.repeat(32), walletAddress: ADDRESS, transactionHash: SIGNATURE };
    sdk.api.on(orders, [ORDER, { ...other, status }]);
    await settle(3_100);
    expect(screen.queryByTestId('scan-to-pay')).toBeNull();
    expect(screen.getByTestId('badge-order').textContent).toContain(
      status === 'sent' ? 'Being confirmed' : 'Confirmed',
    );
  },
);

test('an order in doubt can be paid again, and shows the request to the wallet meanwhile', async () => {
  const { sdk, press } = await offer((on) => {
    on.api.on(orders, [{ ...ORDER, ...IN_DOUBT, walletAddress: ADDRESS }]);
    on.api.on(createOrder, { ...ORDER, ...IN_DOUBT, walletAddress: ADDRESS });
    on.chain.onPay = () => new Promise(() => undefined);
  });
  await press('Purchase Badge');
  await press(/Phantom/);
  expect(sdk.chain.paid).toHaveLength(1);
  expect(screen.getByRole('dialog').textContent).toContain('Approve the payment in Phantom.');
  expect(screen.getByRole('dialog').textContent).not.toContain('Paid, outcome unknown');
});
