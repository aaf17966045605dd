import { at, createTestSdk, sampleUser } from '@cord/sdk/testing';
import { inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { frontOf } from './front';
import { PurchaseButton } from './purchase-button';
import { fails, ORDER, SIGNATURE } from './wallet.fixtures';
import { stage } from './wallet.stage';
import { WalletButton } from './wallet-button';

inFakeTime();

test('is not shown to an owner of the badge', async () => {
  const user = sampleUser({ hasbadgeofhonor: true });
  await stage(<PurchaseButton />, ({ session }) => void session.signIn(user));
  expect(screen.queryByRole('button')).toBeNull();
});

test('in compact size shows a payment in progress, and orders nothing', async () => {
  const underway = { ...ORDER, status: 'sent' as const, transactionHash: SIGNATURE };
  const { sdk, press } = await stage(
    <PurchaseButton size="compact" />,
    ({ api }) => void api.on(at.rewards.orders, [underway]),
  );
  const read = sdk.api.callsOf(at.rewards.orders).length;
  await press('Processing...');
  expect(screen.getByTestId('badge-order').textContent).toContain('Being confirmed');
  expect(sdk.api.callsOf(at.rewards.orders)).toHaveLength(read);
});

test.each([
  ['rejected', 'status', 'You declined in Phantom. Nothing was charged.'],
  ['not-sent', 'alert', 'Purchase Failed: The payment was not sent. Nothing was charged. Try again.'],
] as const)('shows beside it why a purchase ended: %s', async (kind, role, text) => {
  const { press } = await stage(<PurchaseButton />, ({ chain }) => {
    chain.onPay = () => fails({ kind });
  });
  await press('Purchase');
  await press(/Phantom/);
  expect(screen.getByText(text).getAttribute('role')).toBe(role);
});

test('shows that the wallet code did not load, as the wallet button does, and each press loads it again', async () => {
  const sdk = createTestSdk({ user: sampleUser() });
  sdk.api.on(at.rewards.orders, []);
  const load = vi.fn(() => Promise.reject(new Error('a chunk did not come')));
  frontOf(sdk, load);
  const parts = (
    <>
      <WalletButton />
      <PurchaseButton />
    </>
  );
  const { user } = renderWithSdk(parts, sdk);
  await settle();
  const why = 'The wallet could not be loaded. Check your connection and try again.';
  await user.click(screen.getByRole('button', { name: 'Connect wallet' }));
  expect(sdk.shown.at(-1)).toMatchObject({ kind: 'error', text: why });
  await user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(screen.getByRole('alert').textContent).toContain(why);
  expect(load).toHaveBeenCalledTimes(2);
});
