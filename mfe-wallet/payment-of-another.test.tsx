import { at, problem, sampleUser } from '@cord/sdk/testing';
import { act, inFakeTime, settle } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rememberLost, rememberPayment } from './hand-in';
import { ADDRESS, fails, ORDER, OTHER_ADDRESS, SIGNATURE } from './wallet.fixtures';
import { buy } from './wallet.stage';

const { createOrder, orders, purchase } = at.rewards;

inFakeTime();

/** Who signs in after the user who pays. */
const NEXT = sampleUser({ id: 'e'.repeat(32) });
const keptOrder = () => JSON.parse(localStorage.getItem('cord.payment') ?? '{}').orderId;

/** Presses Purchase, and leaves the wallet's window open until `approve`. */
async function buyUnapproved() {
  let approve: () => void = () => undefined;
  const shown = await buy(({ chain }) => {
    chain.onPay = (signed) =>
      new Promise((resolve) => {
        approve = () => {
          signed(SIGNATURE);
          resolve(SIGNATURE);
        };
      });
  });
  return {
    ...shown,
    approve: async () => {
      await act(async () => approve());
      await settle(5_000);
    },
  };
}

test.each(['after the sign-out of the first', 'in place of the first'])(
  'a payment approved after another user has signed in, %s, is kept for its payer and hidden from the other',
  async (how) => {
    const { sdk, approve } = await buyUnapproved();
    const first = sdk.session.state.get().user;
    sdk.api.on(orders, []).fail(purchase, problem(403, 'This belongs to another user', 'not-yours'));
    await act(async () => {
      if (how === 'after the sign-out of the first') sdk.session.signOut();
      sdk.session.signIn(NEXT);
    });
    await settle();
    await approve();
    expect(sdk.api.callsOf(purchase)).toEqual([]);
    expect(keptOrder()).toBe(ORDER.id);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByTestId('payment-underway')).toBeNull();
    expect(screen.getByRole('button', { name: 'Purchase Badge' }).getAttribute('aria-disabled')).toBeNull();
    sdk.api
      .on(orders, [{ ...ORDER, walletAddress: ADDRESS }])
      .on(purchase, { ...ORDER, status: 'sent', transactionHash: SIGNATURE });
    await act(async () => {
      sdk.session.signOut();
      if (first) sdk.session.signIn(first);
    });
    await settle(100);
    expect(sdk.api.callsOf(purchase)[0]?.body).toMatchObject({ userId: first?.id, orderId: ORDER.id });
    expect(localStorage.getItem('cord.payment')).toBeNull();
  },
);

test('a response that arrives after another user has signed in is not added to the other’s orders', async () => {
  const { sdk } = await buy(
    ({ api, session }) =>
      void api.on(purchase, async () => {
        api.on(orders, []);
        session.signIn(NEXT);
        return { ...ORDER, status: 'sent', transactionHash: SIGNATURE };
      }),
  );
  expect(sdk.session.state.get().user?.id).toBe(NEXT.id);
  expect(screen.queryByTestId('payment-underway')).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an order created while another user signs in is not paid', async () => {
  const { sdk } = await buy(
    ({ api, session }) =>
      void api.on(createOrder, async () => {
        api.on(orders, []);
        session.signIn(NEXT);
        return { ...ORDER, walletAddress: ADDRESS };
      }),
  );
  expect(sdk.chain.paid).toEqual([]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  [401, 'not-signed-in'],
  [403, 'not-yours'],
  [404, 'not-found'],
])('a response %i is not about the payment, so its signature stays in this browser', async (status, type) => {
  await buy(({ api }) => void api.fail(purchase, problem(status, 'Not this one', type)));
  expect(keptOrder()).toBe(ORDER.id);
});

test('a code for connecting a phone disappears at sign-out', async () => {
  const { sdk } = await buyUnapproved();
  await act(async () => sdk.chain.link.set('https://reflect.example/code'));
  expect(screen.getByTestId('scan-to-connect')).toBeDefined();
  await act(async () => {
    sdk.session.signOut();
    sdk.session.signIn(NEXT);
  });
  await settle();
  expect(screen.queryByTestId('scan-to-connect')).toBeNull();
  expect(sdk.chain.link.get()).toBeNull();
});

test('declining a payment does not delete a signature that another user of this browser left', async () => {
  rememberPayment({ orderId: 'f'.repeat(32), signature: SIGNATURE, walletAddress: OTHER_ADDRESS });
  rememberLost('f'.repeat(32), Date.now());
  const { sdk } = await buy(({ chain }) => {
    chain.onPay = () => fails({ kind: 'rejected' });
  });
  expect(keptOrder()).toBe('f'.repeat(32));
  expect(localStorage.getItem('cord.payment.lost')).toContain('f'.repeat(32));
  expect(sdk.api.callsOf(purchase)).toEqual([]);
});
