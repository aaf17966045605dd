import type { BadgeRefund } from '@cord/contracts/http/rewards';
import { at, offline, problem, sampleUser, translate } from '@cord/sdk/testing';
import { cleanup, inFakeTime, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { BadgeCard } from './badge-card';
import { rememberPayment } from './hand-in';
import { type Order, ordersKey, takeOrder } from './orders';
import { REASONS, reasonText } from './reason-texts';
import { ADDRESS, fails, ORDER, SIGNATURE, type WalletSdk, walletSdk } from './wallet.fixtures';
import { buy, offer, stage } from './wallet.stage';

const { createOrder, orders, purchase } = at.rewards;

inFakeTime();

const holds = (order: Partial<Order>) => (sdk: WalletSdk) => void sdk.api.on(orders, [{ ...ORDER, ...order }]);

/** The time of the server and that of the device go on. */
async function pass(sdk: WalletSdk, ms: number): Promise<void> {
  sdk.clock.advance(ms);
  await settle(ms);
}

const REFUND: BadgeRefund = {
  id: 'd'.repeat(32),
  orderId: ORDER.id,
  transactionHash: SIGNATURE,
  walletAddress: ADDRESS,
  lamports: 20_000_000,
  reason: 'paid-twice',
  at: ORDER.createdAt,
  status: 'open',
  returnTransaction: null,
  returnedAt: null,
};

test('a payment of unknown outcome stays visible, is checked on request, and cannot be paid again', async () => {
  const { sdk, press } = await offer(holds({ status: 'unknown', transactionHash: SIGNATURE }));
  expect(screen.getByTestId('payment-underway').textContent).toContain('Paid, outcome unknown');
  expect(screen.getByRole('button', { name: 'Processing...' }).getAttribute('aria-disabled')).toBe('true');
  await press('Show payment');
  const dialog = screen.getByRole('dialog');
  expect(dialog.textContent).toContain('We keep checking, and you will not be charged twice');
  expect(screen.queryByRole('link', { name: 'Open in wallet' })).toBeNull();
  sdk.api.on(orders, [{ ...ORDER, status: 'confirmed', transactionHash: SIGNATURE }]);
  await press('Check again');
  expect(sdk.session.state.get().user?.hasbadgeofhonor).toBe(true);
});

test('a paid badge is not ordered again: a press on Success shows the payment', async () => {
  const confirmed = { ...ORDER, status: 'confirmed' as const, transactionHash: SIGNATURE };
  const { sdk, press } = await offer(holds({ status: 'sent', transactionHash: SIGNATURE }));
  sdk.api.on(orders, [confirmed]).fail(createOrder, problem(409, 'badge-owned'));
  await settle(3_100);
  await press('Success');
  expect(sdk.api.callsOf(createOrder)).toEqual([]);
  expect(screen.getByTestId('badge-order').textContent).toContain('The badge is yours.');
});

test('the result of the claim beside a payment is an alert', async () => {
  const { sdk, press } = await offer(holds({ status: 'sent', transactionHash: SIGNATURE }));
  const answer = { success: true as const, amountClaimed: 10_000, newBalance: null, pending: false };
  sdk.api
    .on(orders, [{ ...ORDER, status: 'confirmed', transactionHash: SIGNATURE }])
    .on(at.rewards.cordClaimHistory, { claims: [] })
    .on(at.rewards.cordClaim, { ...answer, updatedUser: { id: sampleUser().id } });
  await settle(3_100);
  await press('Success');
  await press('Claim 10,000 CORD');
  expect(screen.getByText('10,000 CORD was added to your balance.').getAttribute('role')).toBe('alert');
});

test('a confirmed payment reads the user’s record once, however many parts show it', async () => {
  const parts = (
    <>
      <BadgeCard />
      <BadgeCard />
    </>
  );
  const { sdk } = await stage(parts, holds({ status: 'sent', transactionHash: SIGNATURE }));
  const users = () => sdk.api.callsOf(at.users.get).length;
  const before = users();
  sdk.api.on(orders, [{ ...ORDER, status: 'confirmed', transactionHash: SIGNATURE }]);
  await settle(3_100);
  expect(sdk.session.state.get().user?.hasbadgeofhonor).toBe(true);
  expect(screen.getAllByRole('button', { name: 'Success' })).toHaveLength(2);
  expect(users()).toBe(before + 1);
});

test('a signature left by a closed tab is submitted on return, and the badge follows', async () => {
  rememberPayment({ orderId: ORDER.id, signature: SIGNATURE, walletAddress: ADDRESS });
  const { sdk } = await offer(holds({ status: 'pending' }));
  expect(sdk.api.callsOf(purchase)[0]?.body).toMatchObject({ orderId: ORDER.id, transactionHash: SIGNATURE });
  sdk.api.on(orders, [{ ...ORDER, status: 'confirmed', transactionHash: SIGNATURE }]);
  await settle(3_100);
  expect(screen.getByRole('button', { name: 'Success' })).toBeDefined();
});

test('a signed payment unknown to the server stays of unknown outcome, after a reload and after the order expires', async () => {
  const { sdk } = await buy(({ api }) => void api.fail(purchase, offline()));
  await settle(5_000);
  expect(screen.getByTestId('payment-underway').textContent).toContain('Paid, outcome unknown');
  cleanup();
  const earlier = { reason: 'Nothing was charged, and you can pay again.', why: null };
  const again = await offer(({ api }) => {
    api.on(orders, [{ ...ORDER, walletAddress: ADDRESS, ...earlier }]).fail(purchase, offline());
  });
  expect(screen.getByTestId('payment-underway').textContent).toContain('Paid, outcome unknown');
  // The outcome of an earlier try does not apply to this one.
  expect(document.body.textContent).not.toContain(earlier.reason);
  expect(screen.getByRole('button', { name: 'Processing...' }).getAttribute('aria-disabled')).toBe('true');
  expect(sdk.api.callsOf(purchase).length).toBeGreaterThan(1);
  const tried = again.sdk.api.callsOf(purchase).length;
  again.sdk.api.fail(purchase, problem(503, 'Not now'));
  await again.press('Show payment');
  await again.press('Check again');
  expect(again.sdk.api.callsOf(purchase)).toHaveLength(tried + 1);
  expect(screen.getByRole('dialog').textContent).toContain('Not now');
  again.sdk.api.fail(purchase, offline());
  await again.press('Check again');
  expect(screen.getByRole('dialog').textContent).toContain('Network error. Please try again.');
  expect(screen.getByRole('button', { name: 'Check again' }).getAttribute('aria-disabled')).toBeNull();
  cleanup();
  await offer(({ api }) => void api.on(orders, [{ ...ORDER, status: 'expired' }]).fail(purchase, offline()));
  expect(screen.getByTestId('payment-underway').textContent).toContain('Paid, outcome unknown');
});

test('a payment signed here comes before every other order, even a newer or sent one', async () => {
  rememberPayment({ orderId: ORDER.id, signature: SIGNATURE, walletAddress: ADDRESS });
  const newer = { ...ORDER, id: 'd'.repeat(32) };
  const { sdk } = await offer(({ api }) => void api.on(orders, [newer, ORDER]).fail(purchase, offline()));
  expect(screen.getByTestId('payment-underway').textContent).toContain('Paid, outcome unknown');
  expect(sdk.api.callsOf(purchase)[0]?.body).toMatchObject({ orderId: ORDER.id, transactionHash: SIGNATURE });
  cleanup();
  const other = { ...newer, status: 'sent' as const, transactionHash: 'another' };
  const again = await offer(({ api }) => void api.on(orders, [other, ORDER]).fail(purchase, offline()));
  expect(again.sdk.api.callsOf(purchase)[0]?.body).toMatchObject({ orderId: ORDER.id });
});

test('a network error after the signature is of unknown outcome: the signature is submitted', async () => {
  const { sdk } = await buy((on) => {
    on.chain.onPay = async (signed) => {
      signed(SIGNATURE);
      throw offline();
    };
  });
  expect(sdk.api.callsOf(purchase)[0]?.body).toMatchObject({ transactionHash: SIGNATURE });
  expect(screen.queryByText('Purchase Failed')).toBeNull();
});

test('after a wallet is lost during the request to send, the order is checked until its outcome is known', async () => {
  const { sdk } = await buy((on) => {
    on.chain.onPay = () => fails({ kind: 'lost' });
  });
  expect(screen.getByTestId('purchase-failed').textContent).toContain('Do not pay again before');
  sdk.api.on(orders, [{ ...ORDER, status: 'sent', transactionHash: SIGNATURE }]);
  await settle(3_100);
  expect(screen.queryByTestId('purchase-failed')).toBeNull();
  expect(screen.getByTestId('payment-underway').textContent).toContain('Being confirmed');
  sdk.api.on(orders, [{ ...ORDER, status: 'confirmed', transactionHash: SIGNATURE }]);
  await settle(3_100);
  expect(sdk.session.state.get().user?.hasbadgeofhonor).toBe(true);
});

test('an order that a lost wallet may have paid is blocked for 150 s, also after a reload, then offered again', async () => {
  const { sdk, press } = await buy((on) => {
    on.chain.onPay = () => fails({ kind: 'lost' });
  });
  await press('Try Again');
  expect(screen.getByRole('dialog').textContent).toContain('We keep checking');
  expect(sdk.chain.paid).toHaveLength(1);
  cleanup();
  const again = await offer(holds({ walletAddress: ADDRESS }));
  const button = () => screen.getByRole('button', { name: /Processing|Try Again|Purchase Badge/ });
  await pass(again.sdk, 140_000);
  expect(screen.getByTestId('payment-underway').textContent).toContain('Paid, outcome unknown');
  expect(button().getAttribute('aria-disabled')).toBe('true');
  expect(again.sdk.api.callsOf(createOrder)).toEqual([]);
  await pass(again.sdk, 30_000);
  expect(screen.queryByTestId('payment-underway')).toBeNull();
  expect(button().textContent).toBe('Purchase Badge');
});

test('after a reload during a request to a sending wallet, the order is blocked for 150 s', async () => {
  const before = await buy(({ chain }) => {
    chain.onPay = (_, requested) => {
      requested();
      return new Promise(() => undefined);
    };
  });
  // Its own page waits for the wallet, and knows nothing of a payment.
  expect(screen.queryByTestId('payment-underway')).toBeNull();
  const kept = JSON.parse(localStorage.getItem('cord.payment.lost') ?? '{}');
  expect(kept).toMatchObject({ orderId: ORDER.id });
  cleanup();
  before.sdk.queries.clear();
  // As another page reads it.
  localStorage.setItem('cord.payment.lost', JSON.stringify({ ...kept, page: 'loaded since' }));
  const { sdk } = await offer(holds({ walletAddress: ADDRESS }));
  await pass(sdk, 140_000);
  expect(screen.getByTestId('payment-underway').textContent).toContain('Paid, outcome unknown');
  expect(sdk.api.callsOf(createOrder)).toEqual([]);
  await pass(sdk, 30_000);
  expect(screen.queryByTestId('payment-underway')).toBeNull();
});

test.each([
  ['back by an hour', -3_600_000],
  ['forward by an hour', 3_600_000],
])(
  'a lost payment is in doubt for the same time on a device with its clock set %s between two pages',
  async (_, byMs) => {
    await buy((on) => {
      on.chain.onPay = () => fails({ kind: 'lost' });
    });
    cleanup();
    vi.setSystemTime(Date.now() + byMs);
    const { sdk } = await offer(holds({ walletAddress: ADDRESS }));
    await pass(sdk, 140_000);
    expect(screen.getByTestId('payment-underway').textContent).toContain('Paid, outcome unknown');
    await pass(sdk, 30_000);
    expect(screen.queryByTestId('payment-underway')).toBeNull();
  },
);

test.each([
  ['declines', () => fails({ kind: 'rejected' })],
  ['sends', async () => SIGNATURE],
])('a wallet that sends by itself and %s leaves no stored request', async (_, answer) => {
  await buy(({ chain }) => {
    chain.onPay = (_signed, requested) => {
      requested();
      return answer();
    };
  });
  expect(localStorage.getItem('cord.payment.lost')).toBeNull();
});

test('a read of the orders from before the payment was submitted does not undo its result', async () => {
  const sdk = walletSdk();
  const queryKey = ordersKey(sdk.session.state.get().user?.id);
  let answer: (orders: Order[]) => void = () => undefined;
  const queryFn = () => new Promise<Order[]>((resolve) => (answer = resolve));
  const reading = sdk.queries.fetchQuery({ queryKey, queryFn }).catch(() => 'dropped');
  takeOrder(sdk, queryKey[1], { ...ORDER, status: 'sent', transactionHash: SIGNATURE });
  answer([ORDER]);
  await reading;
  await settle(1);
  expect(sdk.queries.getQueryData(queryKey)).toMatchObject([{ id: ORDER.id, status: 'sent' }]);
});

test('a network error before the signature shows that nothing was charged', async () => {
  await buy((on) => {
    on.chain.onPay = () => Promise.reject(offline());
  });
  expect(screen.getByTestId('purchase-failed').textContent).toContain(
    'The wallet network is not responding. Nothing was charged. Try again in a moment.',
  );
});

test('a refusal of the server is shown with its reason', async () => {
  await buy(
    ({ api }) => void api.fail(purchase, problem(422, 'This payment went to another address', 'wrong-treasury')),
  );
  expect(screen.getByTestId('purchase-failed').textContent).toContain('This payment went to another address');
  expect(localStorage.getItem('cord.payment')).toBeNull();
});

test('an order sent elsewhere is shown, and no wallet is requested', async () => {
  const { sdk, press } = await offer();
  sdk.api.on(orders, [{ ...ORDER, status: 'sent', transactionHash: SIGNATURE }]);
  await press('Purchase Badge');
  expect(screen.getByRole('dialog').textContent).toContain('Being confirmed');
  expect(sdk.chain.paid).toEqual([]);
  expect(sdk.api.callsOf(createOrder)).toEqual([]);
});

test('while another tab waits for a wallet, this one sends no request', async () => {
  // A lock request that waits would pay after the other tab has paid.
  const refuse = (_name: string, { ifAvailable }: LockOptions, use: (lock: unknown) => unknown) =>
    Promise.resolve().then(() => use(ifAvailable ? null : {}));
  Object.defineProperty(navigator, 'locks', { value: { request: refuse }, configurable: true });
  const { sdk } = await buy();
  Reflect.deleteProperty(navigator, 'locks');
  expect(screen.getByTestId('purchase-failed').textContent).toContain('A purchase is open in another tab.');
  expect(sdk.chain.paid).toEqual([]);
});

test('a payment to be refunded shows what happens next, and the way to Support', async () => {
  const { sdk, press } = await offer(holds({ status: 'refund', transactionHash: SIGNATURE, refunds: [REFUND] }));
  const notice = screen.getByTestId('payment-refund').textContent;
  expect(notice).toContain('0.02 SOL will be refunded');
  expect(notice).toContain('It goes back to 5FHw...UJnM.');
  await press('Ask Support');
  expect(sdk.tabs.current.get()).toBe('settings');
});

test('an owner of the badge who paid twice sees the refund with its date', async () => {
  await offer((sdk) => {
    sdk.session.signIn(sampleUser({ hasbadgeofhonor: true }));
    holds({
      status: 'confirmed',
      refunds: [{ ...REFUND, status: 'returned', returnTransaction: SIGNATURE, returnedAt: ORDER.createdAt }],
    })(sdk);
  });
  expect(screen.getByText('0.02 SOL was refunded')).toBeDefined();
  expect(screen.getByText('Returned to 5FHw...UJnM on 21 Nov 2026.')).toBeDefined();
});

test('a payment that never reached the network can be paid again, with that reason shown', async () => {
  const { sdk } = await buy();
  const reason = 'Your payment did not reach the network. Nothing was charged, and you can pay again.';
  sdk.api.on(orders, [{ ...ORDER, reason }]);
  await settle(3_100);
  expect(screen.getByRole('dialog').textContent).toContain(`Not received${reason}`);
  expect(screen.getByTestId('purchase-failed').textContent).toContain(reason);
  const again = within(screen.getByRole('dialog')).getByRole('button', { name: 'Try Again' });
  await userEvent.setup({ delay: null }).click(again);
  await settle();
  expect(sdk.chain.paid).toHaveLength(2);
});

test('the reason of a failure is shown in the user’s language, by its code', async () => {
  translate({ de: { load: async () => ({ default: {} }) } }, 'de');
  await offer((on) => {
    on.session.signIn(sampleUser({ locale: 'de' }));
    holds({ reason: 'The amount is smaller than the price.', why: 'refused.amount-too-small' })(on);
  });
  expect((await screen.findByTestId('purchase-failed')).textContent).toContain(
    'Der Kauf des Badge konnte nicht angelegt werden. Der Betrag ist kleiner als der Preis.',
  );
  expect(reasonText(REASONS.get(), { why: null, reason: 'The text of an earlier service.' })).toBe(
    'The text of an earlier service.',
  );
  translate({}, null);
});

test('an expired order ends the processing', async () => {
  const { sdk } = await buy();
  sdk.api.on(orders, [{ ...ORDER, status: 'expired', reason: 'It was not paid in time. Nothing was charged.' }]);
  await settle(3_100);
  expect(screen.getByRole('dialog').textContent).toContain('It was not paid in time. Nothing was charged.');
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined();
});
