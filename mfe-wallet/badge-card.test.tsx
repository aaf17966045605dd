import { rules } from '@cord/contracts/addresses/rules';
import { SOL_PRICE_REFRESH_MS } from '@cord/contracts/rules/timings';
import { at, offline, problem, sampleRules, sampleUser } from '@cord/sdk/testing';
import { act, cleanup, inFakeTime, settle } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Account } from './chain/chain';
import type { WalletProblem } from './failures';
import { WALLET_NAME_KEY } from './front';
import { ADDRESS, fails, ORDER, OTHER_ADDRESS, SIGNATURE } from './wallet.fixtures';
import { buy, offer } from './wallet.stage';

const { createOrder, orders, purchase, purchases, solPrice, walletSettings } = at.rewards;

inFakeTime();

test('the card shows benefits, price and the age of the quote, which is read again at intervals', async () => {
  const { sdk } = await offer();
  for (const text of ['5% mining bonus', 'Priority support', 'Exclusive badge display', '0.02 SOL']) {
    expect(screen.getByText(text)).toBeDefined();
  }
  expect(screen.getByText('about $3.12, quoted 2 min ago')).toBeDefined();
  sdk.api.on(solPrice, { usd: 200, at: ORDER.createdAt, estimate: false });
  await settle(SOL_PRICE_REFRESH_MS);
  expect(screen.getByText(/^about \$4\.00/)).toBeDefined();
});

test('the mining bonus of the badge follows the rules in force', async () => {
  await offer(({ api }) => void api.on(rules, sampleRules({ badgeHundredths: 107 })));
  expect(screen.getByText('7% mining bonus')).toBeDefined();
});

test('the price is the configured one, in SOL and USD; without a response it is that of the contract', async () => {
  await offer(({ api }) => void api.on(walletSettings, { orders: true, reflector: null, lamports: 50_000_000 }));
  expect(screen.getByText('0.05 SOL')).toBeDefined();
  expect(screen.getByText('about $7.80, quoted 2 min ago')).toBeDefined();
  cleanup();
  const { sdk } = await offer(({ api }) => void api.fail(walletSettings, offline()));
  expect(screen.getByText('0.02 SOL')).toBeDefined();
  sdk.api.on(walletSettings, { orders: true, reflector: null, lamports: 50_000_000 });
  await settle(SOL_PRICE_REFRESH_MS);
  expect(screen.getByText('0.05 SOL')).toBeDefined();
});

test('a fallback quote is marked as an estimate, a missing one as unknown', async () => {
  await offer(({ api }) => void api.on(solPrice, { usd: 50, at: ORDER.createdAt, estimate: true }));
  expect(screen.getByText('about $1.00, estimate')).toBeDefined();
  cleanup();
  await offer(({ api }) => void api.fail(solPrice, offline()));
  expect(screen.getByText('price in USD unknown')).toBeDefined();
});

test('while the quote loads, no price in USD is shown, and it is not shown as unknown', async () => {
  await offer(({ api }) => void api.hang(solPrice));
  expect(screen.getByText('0.02 SOL')).toBeDefined();
  expect(screen.queryByText(/USD|about/)).toBeNull();
});

test('an owned badge shows since when and the rate, without a purchase button', async () => {
  await offer(({ api, session }) => {
    session.signIn(sampleUser({ hasbadgeofhonor: true, rate: 2.02125 }));
    api.on(purchases, [
      {
        id: '1',
        userId: sampleUser().id,
        walletAddress: ADDRESS,
        transactionHash: SIGNATURE,
        amountSol: 0.02,
        amountUsd: 3.12,
        purchasedAt: ORDER.createdAt,
      },
    ]);
  });
  expect(screen.getByText('You Own the Badge of Honor!')).toBeDefined();
  expect(screen.getByText('Since 21 Nov 2026. Your rate is now 2.021250 CORD/min.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Purchase Badge' })).toBeNull();
});

test('before the first press, no wallet code runs and no order is created', async () => {
  const { sdk } = await offer();
  expect(sdk.front.wallet.get().phase).toBe('no-wallet');
  expect(sdk.api.callsOf(createOrder)).toEqual([]);
  expect(document.querySelectorAll('[role=dialog]')).toHaveLength(0);
});

test('a purchase creates the order for the paying wallet, pays it, and submits the signature', async () => {
  const { sdk } = await buy();
  expect(sdk.api.callsOf(createOrder)[0]?.body).toEqual({ walletAddress: ADDRESS });
  expect(sdk.api.callsOf(createOrder)[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  expect(sdk.chain.paid).toEqual([
    { order: { ...ORDER, walletAddress: ADDRESS }, account: { wallet: 'Phantom', address: ADDRESS } },
  ]);
  expect(sdk.api.callsOf(purchase)[0]?.body).toEqual({
    userId: sampleUser().id,
    orderId: ORDER.id,
    walletAddress: ADDRESS,
    transactionHash: SIGNATURE,
    amountSol: 0.02,
    amountUsd: 3.12,
  });
  expect(screen.getByRole('dialog').textContent).toContain('Being confirmed');
});

test('the button shows Processing..., then Success for 5 s, then the card is the owned one', async () => {
  const { sdk } = await buy();
  expect(screen.getAllByRole('button', { name: 'Processing...' })).toHaveLength(1);
  expect(sdk.session.state.get().user?.hasbadgeofhonor).toBe(false);
  sdk.api.on(orders, [{ ...ORDER, status: 'confirmed', transactionHash: SIGNATURE }]);
  await settle(3_100);
  expect(sdk.session.state.get().user?.hasbadgeofhonor).toBe(true);
  expect(screen.getByRole('button', { name: 'Success' })).toBeDefined();
  await settle(5_100);
  expect(screen.getByText('You Own the Badge of Honor!')).toBeDefined();
});

test('a failed purchase shows Try Again with its reason, and is idle after 5 s', async () => {
  await buy(({ api }) => void api.fail(createOrder, problem(503, 'Failed to create badge purchase record')));
  expect(screen.getByText('Purchase Failed')).toBeDefined();
  expect(screen.getByText('Failed to create badge purchase record')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined();
  await settle(4_800);
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined();
  await settle(300);
  expect(screen.getByRole('button', { name: 'Purchase Badge' })).toBeDefined();
});

test('without any response the purchase fails with its own text', async () => {
  await buy(({ api }) => void api.fail(createOrder, offline()));
  expect(screen.getByText('Failed to create badge purchase record')).toBeDefined();
});

test.each<[WalletProblem, string]>([
  [{ kind: 'disconnected' }, 'Phantom disconnected before it signed. Nothing was charged. Connect it and try again.'],
  [
    { kind: 'wrong-network', network: 'solana:devnet' },
    'Phantom is not on Solana devnet. Switch its network, then try again. Nothing was charged.',
  ],
  [
    { kind: 'not-enough', has: 10_000_000, needs: 20_895_880 },
    'Phantom has 0.01 SOL. With the network fee and the least that a wallet must keep, 0.02089588 SOL is needed. Add SOL or change wallets.',
  ],
  [
    { kind: 'account-changed', address: OTHER_ADDRESS },
    'Phantom switched to the account HN7c...YWrH. Nothing was charged. Try again to pay from it.',
  ],
  [{ kind: 'unsupported' }, 'Phantom does not support signAndSendTransaction. Use another wallet.'],
  [{ kind: 'not-sent' }, 'The payment was not sent. Nothing was charged. Try again.'],
  [{ kind: 'unexpected', message: 'Ledger is locked' }, 'Phantom: Ledger is locked'],
])('a wallet problem is shown, and no signature is submitted: %o', async (failure, text) => {
  const { sdk } = await buy((on) => {
    on.chain.onPay = () => fails(failure);
  });
  expect(screen.getByTestId('purchase-failed').textContent).toContain(text);
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined();
  expect(sdk.api.callsOf(purchase)).toEqual([]);
  expect(document.querySelectorAll('[role=dialog]')).toHaveLength(0);
});

test.each<WalletProblem>([
  { kind: 'disconnected' },
  { kind: 'not-enough', has: 0, needs: 20_005_000 },
  { kind: 'unsupported' },
  { kind: 'wrong-network', network: 'solana:mainnet' },
])('a wallet that cannot pay offers Change wallet: %o', async (failure) => {
  const { press } = await buy((on) => {
    on.chain.onPay = () => fails(failure);
  });
  await press('Change wallet');
  expect(screen.getByRole('dialog', { name: 'Connect a wallet' })).toBeDefined();
});

test('a declined payment is not a failure: a note is shown, and the next press pays the same order', async () => {
  const { sdk, press } = await buy((on) => {
    on.chain.onPay = () => fails({ kind: 'rejected' });
  });
  expect(screen.queryByText('Purchase Failed')).toBeNull();
  expect(screen.getByTestId('purchase-declined').textContent).toBe(
    'Payment declinedYou declined in Phantom. Nothing was charged.',
  );
  sdk.chain.onPay = async () => SIGNATURE;
  await press('Purchase Badge');
  expect(sdk.chain.paid.map(({ order }) => order.id)).toEqual([ORDER.id, ORDER.id]);
  expect(sdk.api.callsOf(purchase)).toHaveLength(1);
});

test('a remembered wallet pays without another choice', async () => {
  localStorage.setItem(WALLET_NAME_KEY, '"Phantom"');
  const { sdk, press } = await offer();
  await press('Purchase Badge');
  expect(sdk.chain.paid.map(({ account }) => account)).toEqual([{ wallet: 'Phantom', address: ADDRESS }]);
});

test('closing the choice of wallets orders nothing and shows no failure', async () => {
  const { sdk, press } = await offer();
  await press('Purchase Badge');
  await press('Close');
  expect(screen.getByRole('button', { name: 'Purchase Badge' })).toBeDefined();
  expect(screen.queryByText('Purchase Failed')).toBeNull();
  expect(sdk.api.callsOf(createOrder)).toEqual([]);
});

test('a wallet on another device pays exactly this order by its code', async () => {
  const { sdk, press } = await offer();
  await press('Purchase Badge');
  await press(/Wallet on another device/);
  expect(sdk.api.callsOf(createOrder)[0]?.body).toEqual({ walletAddress: null });
  const dialog = screen.getByRole('dialog', { name: 'Remote Mobile Wallet Adapter' });
  expect(dialog.textContent).toContain('Open your wallet and scan the code.');
  expect(dialog.textContent).toContain('Waiting for scan');
  const link = new URL(screen.getByRole('link', { name: 'Open in wallet' }).getAttribute('href') ?? '');
  expect(link.protocol).toBe('solana:');
  expect(link.pathname).toBe(ORDER.treasury);
  expect(link.searchParams.get('amount')).toBe('0.02');
  expect(link.searchParams.get('reference')).toBe(ORDER.reference);
  // An order of another tab or of an earlier try never takes the place of the one whose code is on the screen.
  const newer = { ...ORDER, id: 'd'.repeat(32), reference: OTHER_ADDRESS, walletAddress: ADDRESS };
  sdk.api.on(orders, [newer, ORDER]);
  await settle(3_100);
  expect(screen.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')).toBe(link.href);
  sdk.api.on(orders, [newer, { ...ORDER, status: 'sent', transactionHash: SIGNATURE }]);
  await settle(3_100);
  expect(screen.getByRole('dialog', { name: /Badge of Honor/ }).textContent).toContain('Being confirmed');
});

test('closing an unscanned code ends the purchase, which can start again; whole SOL have no decimal point', async () => {
  const { sdk, press } = await offer(({ api }) => void api.on(createOrder, { ...ORDER, lamports: 1_000_000_000 }));
  await press('Purchase Badge');
  await press(/Wallet on another device/);
  const link = new URL(screen.getByRole('link', { name: 'Open in wallet' }).getAttribute('href') ?? '');
  expect(link.searchParams.get('amount')).toBe('1');
  await press('Close');
  expect(screen.getByRole('button', { name: 'Purchase Badge' }).getAttribute('aria-disabled')).toBeNull();
  await press('Purchase Badge');
  expect(screen.getByRole('dialog', { name: 'Connect a wallet' })).toBeDefined();
  expect(sdk.chain.paid).toEqual([]);
});

test.each(['Esc', 'Close'])(
  'closing the choice with %s while connecting ends the purchase; a later approval connects but orders nothing',
  async (how) => {
    let approve: (account: Account) => void = () => undefined;
    const { sdk, press } = await buy(({ chain }) => {
      chain.onConnect = () =>
        new Promise((resolve) => {
          approve = resolve;
        });
    });
    expect(screen.getByRole('dialog').textContent).toContain('Approve the connection in Phantom.');
    if (how === 'Close') await press('Close');
    else await userEvent.setup({ delay: null }).keyboard('{Escape}');
    await settle();
    expect(screen.getByRole('button', { name: 'Purchase Badge' }).getAttribute('aria-disabled')).toBeNull();
    await act(async () => approve({ wallet: 'Phantom', address: ADDRESS }));
    await settle(100);
    expect(sdk.front.wallet.get()).toMatchObject({ phase: 'connected', address: ADDRESS });
    expect(sdk.api.callsOf(createOrder)).toEqual([]);
    expect(sdk.chain.paid).toEqual([]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByTestId('purchase-failed')).toBeNull();
  },
);

test('a choice closed while connecting does not affect the next one, however it ends', async () => {
  const given: ((failure: unknown) => void)[] = [];
  const { sdk, press } = await buy(({ chain }) => {
    chain.onConnect = () =>
      new Promise((_, reject) => {
        given.push(reject);
      });
  });
  await press('Close');
  await press('Purchase Badge');
  expect(screen.getByRole('dialog', { name: 'Connect a wallet' }).textContent).toContain(
    'We only ask for your address.',
  );
  sdk.chain.onConnect = async (wallet) => ({ wallet, address: OTHER_ADDRESS });
  await press(/Solflare/);
  expect(screen.getByRole('dialog').textContent).toContain('Being confirmed');
  const rejected = await fails({ kind: 'timeout' }).catch((failure: unknown) => failure);
  await act(async () => given[0]?.(rejected));
  await settle();
  expect(screen.getByRole('dialog').textContent).toContain('Being confirmed');
  expect(sdk.front.wallet.get()).toMatchObject({ phase: 'connected', address: OTHER_ADDRESS });
  expect(sdk.api.callsOf(createOrder)).toHaveLength(1);
});
