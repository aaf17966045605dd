import { createStore } from '@cord/sdk';
import { createTestSdk, sampleUser } from '@cord/sdk/testing';
import { act, inFakeTime, settle } from '@cord/sdk/testing/render';
import { actionGate } from '@cord/ui';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { WalletProblem } from './failures';
import { AUTHORIZATION_KEY, frontOf, WALLET_NAME_KEY } from './front';
import { forgetPayment, knownHere, rememberPayment } from './hand-in';
import { ADDRESS, fails, ORDER, OTHER_ADDRESS, SIGNATURE, WALLETS, type WalletSdk } from './wallet.fixtures';
import { stage } from './wallet.stage';
import { WalletButton } from './wallet-button';

inFakeTime();

const button = (prepare?: (sdk: WalletSdk) => void) => stage(<WalletButton />, prepare);

async function connected(prepare?: (sdk: WalletSdk) => void) {
  const shown = await button(prepare);
  await shown.press('Connect wallet');
  await shown.press(/Phantom/);
  return shown;
}

test('without a wallet it offers to connect one, with a choice of detected and installable wallets', async () => {
  const { press } = await button();
  await press('Connect wallet');
  const dialog = screen.getByRole('dialog', { name: 'Connect a wallet' });
  expect(dialog.textContent).toContain('PhantomDetected');
  expect(dialog.textContent).toContain('BackpackNot installed');
  expect(within(dialog).getByRole('link', { name: /^Backpack.*opens in a new tab/ })).toBeDefined();
  expect(dialog.textContent).toContain('We only ask for your address.');
  expect(dialog.textContent).not.toContain('Wallet on another device');
});

test('while connecting, the button waits and the dialog shows where to approve', async () => {
  await connected(({ chain }) => {
    chain.onConnect = () => new Promise(() => undefined);
  });
  expect(screen.getByTestId('wallet').textContent).toContain('Connecting...');
  expect(screen.getByRole('dialog').textContent).toContain('Approve the connection in Phantom.');
});

test('when connected, it shows the address, and offers to copy, change and disconnect', async () => {
  const { press } = await connected();
  expect(screen.getByTestId('wallet').textContent).toContain('5FHw...UJnM');
  await press('Wallet 5FHw...UJnM');
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'Copy address',
    'Change wallet',
    'Disconnect',
  ]);
});

test('Copy address copies the whole address, with a toast', async () => {
  const { press, sdk } = await connected();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press('Wallet 5FHw...UJnM');
  screen.getByRole('menuitem', { name: 'Copy address' }).click();
  await settle();
  expect(write).toHaveBeenCalledWith(ADDRESS);
  expect(sdk.shown.at(-1)).toMatchObject({ kind: 'success' });
});

test('changing to the connected wallet keeps it connected', async () => {
  const { press } = await connected();
  await press('Wallet 5FHw...UJnM');
  screen.getByRole('menuitem', { name: 'Change wallet' }).click();
  await settle();
  await press(/Phantom/);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByTestId('wallet').textContent).toContain('5FHw...UJnM');
});

test('an address that the browser does not allow to copy is shown instead', async () => {
  const { press, sdk } = await connected();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  await press('Wallet 5FHw...UJnM');
  screen.getByRole('menuitem', { name: 'Copy address' }).click();
  await settle();
  expect(sdk.shown.at(-1)).toMatchObject({
    kind: 'error',
    title: 'Your browser does not allow copying here',
    text: ADDRESS,
  });
});

test('while disconnecting it shows so, then offers to connect', async () => {
  let ended: () => void = () => undefined;
  const { press, sdk } = await connected(({ chain }) => {
    chain.disconnect = () =>
      new Promise((resolve) => {
        ended = () => {
          chain.become(null);
          resolve();
        };
      });
  });
  await press('Wallet 5FHw...UJnM');
  screen.getByTestId('wallet-disconnect').click();
  await settle();
  expect(screen.getByTestId('wallet').textContent).toContain('Disconnecting...');
  ended();
  await settle();
  expect(screen.getByTestId('wallet').textContent).toContain('Connect wallet');
  // The wallet did not disconnect by itself.
  expect(sdk.shown).toEqual([]);
});

test('a remembered wallet that does not connect on a press opens the choice', async () => {
  localStorage.setItem(WALLET_NAME_KEY, '"Phantom"');
  const { press } = await button(({ chain }) => {
    chain.onConnect = () => fails({ kind: 'refused' });
  });
  await press('Connect Phantom');
  expect(screen.getByRole('dialog', { name: 'Connect a wallet' })).toBeDefined();
});

test('a remembered wallet is connected again when the page is idle', async () => {
  localStorage.setItem(WALLET_NAME_KEY, '"Phantom"');
  await button();
  expect(screen.getByTestId('wallet').textContent).toContain('Connect Phantom');
  await settle(1_100);
  expect(screen.getByTestId('wallet').textContent).toContain('5FHw...UJnM');
});

test('a remembered wallet that is no longer available is forgotten', async () => {
  localStorage.setItem(WALLET_NAME_KEY, '"Phantom"');
  await button(({ chain }) => {
    chain.resume = async () => null;
  });
  await settle(1_100);
  expect(screen.getByTestId('wallet').textContent).toContain('Connect wallet');
  expect(localStorage.getItem(WALLET_NAME_KEY)).toBeNull();
});

test.each<[WalletProblem, string]>([
  [{ kind: 'timeout' }, 'Phantom did not answer within 30 seconds. Open it and try again.'],
  [{ kind: 'refused' }, 'Phantom did not connect. Approve the connection in the wallet and try again.'],
])('a wallet that does not connect shows why, and the choice stays open: %o', async (failure, text) => {
  const { press, sdk } = await connected(({ chain }) => {
    chain.onConnect = () => fails(failure);
  });
  expect(screen.getByTestId('wallet-failure').textContent).toContain(text);
  sdk.chain.onConnect = async (wallet) => ({ wallet, address: ADDRESS });
  await press(/Solflare/);
  expect(screen.getByTestId('wallet').textContent).toContain('5FHw...UJnM');
});

test('a phone without a wallet app shows the first message, with a link to find one', async () => {
  await connected(({ chain }) => {
    chain.onConnect = () => fails({ kind: 'not-found' });
  });
  const dialog = screen.getByRole('dialog', { name: 'We can’t find a wallet' });
  expect(dialog.textContent).toContain('Install a compatible mobile wallet app, then come back to this page.');
  expect(screen.getByRole('link', { name: /^Find a wallet/ })).toBeDefined();
});

test('a browser that cannot reach wallet apps shows the second message, without the link', async () => {
  await connected(({ chain }) => {
    chain.onConnect = () => fails({ kind: 'incompatible' });
  });
  const dialog = screen.getByRole('dialog', { name: 'We can’t find a wallet' });
  expect(dialog.textContent).toContain('This browser is not compatible with mobile wallets.');
  expect(screen.queryByRole('link', { name: /^Find a wallet/ })).toBeNull();
});

test('an account change in the wallet is shown at once, with a toast', async () => {
  const { sdk } = await connected();
  sdk.chain.become({ wallet: 'Phantom', address: OTHER_ADDRESS });
  await settle();
  expect(screen.getByTestId('wallet').textContent).toContain('HN7c...YWrH');
  expect(sdk.shown.at(-1)).toMatchObject({
    title: 'Wallet account changed',
    text: 'Phantom now pays from HN7c...YWrH.',
  });
});

test('a wallet that disconnects by itself is removed here, with a toast', async () => {
  const { sdk } = await connected();
  sdk.chain.become(null);
  await settle();
  expect(screen.getByTestId('wallet').textContent).toContain('Connect wallet');
  expect(sdk.shown.at(-1)).toMatchObject({ title: 'Wallet disconnected', text: 'Phantom ended the connection.' });
});

test('a sign-out disconnects the wallet', async () => {
  const { sdk } = await connected();
  await act(async () => sdk.session.signOut());
  await settle();
  expect(sdk.chain.account.get()).toBeNull();
  expect(sdk.front.wallet.get()).toEqual({ phase: 'no-wallet', name: null, address: null });
});

test('a sign-out forgets the wallet even while the wallet code is loading and fails', async () => {
  localStorage.setItem(WALLET_NAME_KEY, '"Phantom"');
  const sdk = createTestSdk({ user: sampleUser() });
  let fails: (error: Error) => void = () => undefined;
  const front = frontOf(sdk, () => new Promise((_, reject) => (fails = reject)));
  const opening = front.desk().catch((error: unknown) => error);
  sdk.session.signOut();
  expect(localStorage.getItem(WALLET_NAME_KEY)).toBeNull();
  expect(front.wallet.get()).toEqual({ phase: 'no-wallet', name: null, address: null });
  fails(new Error('a chunk did not come'));
  expect(await opening).toMatchObject({ problem: { kind: 'unavailable' } });
});

test('a sign-out forgets a remembered wallet that was not connected', async () => {
  localStorage.setItem(WALLET_NAME_KEY, '"Phantom"');
  localStorage.setItem(AUTHORIZATION_KEY, '{}');
  const { sdk } = await button();
  await act(async () => sdk.session.signOut());
  expect(localStorage.getItem(WALLET_NAME_KEY)).toBeNull();
  expect(localStorage.getItem(AUTHORIZATION_KEY)).toBeNull();
});

test('a code for connecting a phone is shown while the reflector waits, and can be closed', async () => {
  const { sdk, press } = await button();
  await press('Connect wallet');
  sdk.chain.link.set('solana-wallet:/v1/associate/remote?association=abc');
  await settle();
  expect(screen.getByRole('dialog', { name: 'Remote Mobile Wallet Adapter' }).textContent).toContain(
    'Waiting for scan',
  );
  await press('Close');
  expect(sdk.chain.link.get()).toBeNull();
});

test.each(['full', 'compact'] as const)(
  'while the server is unreachable the %s button is disabled with a reason, and keeps the focus',
  async (size) => {
    const { press } = await stage(<WalletButton size={size} />);
    const connect = screen.getByRole('button', { name: 'Connect wallet' });
    connect.focus();
    act(() => actionGate.shut('Available when you are back online.'));
    const described = document.getElementById(connect.getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toBe('Available when you are back online.');
    expect(connect.getAttribute('aria-disabled')).toBe('true');
    expect(document.activeElement).toBe(connect);
    await press('Connect wallet');
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => actionGate.open());
    expect(document.activeElement).toBe(connect);
    await press('Connect wallet');
    expect(screen.getByRole('dialog', { name: 'Connect a wallet' })).toBeDefined();
  },
);

test('in a narrow header it is an icon with its name', async () => {
  await stage(<WalletButton size="compact" />);
  expect(screen.getByRole('button', { name: 'Connect wallet' }).textContent).toBe('');
});

test('wallets that cannot be loaded show an error in the dialog, and the next press retries', async () => {
  const { sdk, press } = await button((prepared) => {
    prepared.loadChain = () => Promise.reject(new Error('a chunk did not come'));
  });
  await press('Connect wallet');
  const dialog = screen.getByRole('dialog', { name: 'Connect a wallet' });
  expect(dialog.textContent).toContain('The wallet could not be loaded. Check your connection and try again.');
  expect(dialog.textContent).not.toContain('Looking');
  await press('Close');
  sdk.loadChain = async () => sdk.chain;
  await press('Connect wallet');
  expect(screen.getByRole('dialog').textContent).toContain('PhantomDetected');
});

test('a wallet dialog that throws shows an error, and can be closed and opened again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { sdk, press } = await button(({ chain }) => {
    chain.wallets = createStore([null]) as never;
  });
  await press('Connect wallet');
  expect(screen.getByRole('dialog', { name: 'Wallet' }).textContent).toContain('The wallet could not be displayed');
  expect(sdk.reported.at(-1)?.place).toEqual({ module: 'mfe_wallet', part: 'wallet/desk' });
  await press('Close');
  expect(screen.queryByRole('dialog')).toBeNull();
  (sdk.chain.wallets as unknown as { set(found: unknown): void }).set(WALLETS);
  await press('Connect wallet');
  expect(screen.getByRole('dialog').textContent).toContain('PhantomDetected');
});

test('with full storage a signed payment is kept in memory', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  rememberPayment({ orderId: ORDER.id, signature: SIGNATURE, walletAddress: ADDRESS });
  expect(knownHere(ORDER, 0)).toMatchObject({ status: 'unknown', transactionHash: SIGNATURE });
  forgetPayment(ORDER.id);
  expect(knownHere(ORDER, 0)).toEqual(ORDER);
});
