import type { Page } from 'playwright-core';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { post } from '../../test/kit/post.ts';
import { inProof, shot, type Visitor, visitor, type Width } from '../browser.js';
import { approve, connectWallet, purchase } from '../development-wallet.js';
import { fault, noFaults } from '../faults.js';
import { api, enter, ledgerMicro, ownId, shown } from '../people.js';

const origin = inject('origin');
const PRICE_LAMPORTS = 20_000_000;
/** 5.4 years: x3.5; 1.75 CORD a minute, and 5 % more with the badge. */
const YEARS = 5.4;
const RATE_WITH_BADGE = 1.8375;
/** What the code of @solana/web3.js has in it. */
const SOLANA = /SystemProgram|ComputeBudget/;

afterEach(async () => {
  await noFaults(origin);
  await solana('faults', { mode: 'clear' });
});

/** What the development wallet's owner does, and what the network of this machine holds. */
const solana = (path: string, body: unknown) => post(`${origin}/dev/solana/${path}`, body);

async function lamportsOf(address: string): Promise<number> {
  const answer = await solana('rpc', { jsonrpc: '2.0', id: 1, method: 'getBalance', params: [address] });
  return (answer as { result: { value: number } }).result.value;
}

async function treasury(): Promise<string> {
  return ((await (await fetch(`${origin}/dev/solana`)).json()) as { treasury: string }).treasury;
}

const text = (page: Page, shown: string) => page.getByText(shown).first().waitFor();
/** Whether what has the focus is one of these or stands in one. */
const focusIn = (page: Page, selector: string) =>
  page.evaluate<boolean>(`document.activeElement?.closest('${selector}') != null`);
/** The way to the next try: a few seconds after a failure the button has its first name again. */
const again = (page: Page) => page.getByRole('button', { name: /^(Try Again|Purchase Badge)$/ });
const orders = async (page: Page) => (await api<{ status: string }[]>(page, 'GET', '/badge-orders')).body;

async function newcomer(width: Width = 'desk'): Promise<Visitor> {
  const person = await visitor(width);
  await enter(person, origin, { years: YEARS });
  return person;
}

/** The same, and the wallet requests the payment. */
async function connectToPay(page: Page): Promise<string> {
  const address = await connectWallet(page);
  await text(page, 'Approve a payment');
  return address;
}

async function expectOwned(page: Page): Promise<void> {
  await text(page, 'You Own the Badge of Honor!');
  const mine = await api<unknown[]>(page, 'GET', `/users/${await ownId(page)}/badge-purchases`);
  expect(mine.body).toHaveLength(1);
}

describe('the Badge of Honor', () => {
  test('is bought from a wallet: the treasury has its price, the rate its 5 %, the holder the 10,000 CORD', async () => {
    const person = await newcomer();
    const { page } = person;
    const [to, before] = [await treasury(), await lamportsOf(await treasury())];
    await purchase(page).click();
    await shot(page, 'wallet-choose-desk');
    await connectToPay(page);
    await text(page, '0.02 SOL');
    await shot(page, 'wallet-approve-desk');
    await approve(page);
    await text(page, 'The badge is yours.');
    await shot(page, 'wallet-confirmed-desk');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Success' }).waitFor();
    await expect.poll(() => focusIn(page, 'main')).toBe(true);
    await expectOwned(page);
    expect((await lamportsOf(to)) - before).toBe(PRICE_LAMPORTS);
    await expect.poll(() => shown(page, 'rate')).toBe(RATE_WITH_BADGE);

    const userId = await ownId(page);
    const balance = await ledgerMicro(page, userId);
    await page.getByRole('button', { name: 'Claim 10,000 CORD' }).click();
    await text(page, 'Reward Claimed!');
    expect(await ledgerMicro(page, userId)).toBe(balance + 10_000_000_000);
    await shot(page, 'wallet-owned-desk');
    await person.leave();
  });

  inProof('that cannot be ordered shows why, charges nothing and can be tried again', async () => {
    const person = await newcomer();
    const { page } = person;
    const refuse = (answer: { status: number; body?: unknown }) =>
      fault(origin, { path: '/api/badge-orders', method: 'POST', times: 1, ...answer });
    await refuse({ status: 503 });
    await purchase(page).click();
    await connectWallet(page);
    await text(page, 'Purchase Failed');
    await text(page, 'Failed to create badge purchase record');
    await page.getByRole('button', { name: 'Try Again' }).first().waitFor();
    await expect.poll(() => focusIn(page, 'main button')).toBe(true);
    await shot(page, 'wallet-failed-desk');

    await refuse({ status: 422, body: { error: 'Orders are closed today' } });
    await purchase(page).first().click();
    await text(page, 'Orders are closed today');
    expect(await orders(page)).toEqual([]);
    await person.close();
  });

  inProof('is not bought by who declines: nothing is charged, and the next try pays the same order', async () => {
    const person = await newcomer('phone');
    const { page } = person;
    await purchase(page).click();
    await shot(page, 'wallet-choose-phone');
    const address = await connectToPay(page);
    const had = await lamportsOf(address);
    await page.getByRole('button', { name: 'Reject' }).click();
    await text(page, 'You declined in Development Wallet. Nothing was charged.');
    await shot(page, 'wallet-declined-phone');
    expect(await lamportsOf(address)).toBe(had);
    await purchase(page).click();
    await approve(page);
    await text(page, 'The badge is yours.');
    await shot(page, 'wallet-confirmed-phone');
    expect(await orders(page)).toHaveLength(1);
    await person.leave();
  });

  inProof('is found when the tab was closed after sending, by a browser that has nothing of it', async () => {
    const person = await newcomer();
    await purchase(person.page).click();
    const address = await connectToPay(person.page);
    const had = await lamportsOf(address);
    await fault(origin, { path: '/api/badge-purchases', method: 'POST', status: 0, times: 100 });
    await approve(person.page);
    await expect.poll(() => lamportsOf(address)).toBeLessThanOrEqual(had - PRICE_LAMPORTS);
    await person.page.evaluate('localStorage.clear()');
    await person.page.close();
    const back = await person.context.newPage();
    await back.goto(origin);
    await expectOwned(back);
    await person.close();
  });

  inProof('paid and held up by the network is a state that a reload keeps, and that is not paid twice', async () => {
    const person = await newcomer();
    const { page } = person;
    await purchase(page).click();
    await connectToPay(page);
    await solana('faults', { mode: 'hold' });
    await approve(page);
    await text(page, 'Being confirmed');
    await page.reload();
    await page.getByTestId('payment-underway').waitFor();
    expect(await page.getByRole('button', { name: 'Processing...' }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Show payment' }).click();
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    await shot(page, 'wallet-held-desk');
    await solana('faults', { mode: 'clear' });
    await text(page, 'The badge is yours.');
    await page.keyboard.press('Escape');
    await expectOwned(page);
    await person.leave();
  });

  inProof('waits while the network is away: nothing is charged, and it goes on when it is back', async () => {
    const person = await newcomer();
    const { page } = person;
    await purchase(page).click();
    await connectToPay(page);
    await page.getByRole('button', { name: 'Reject' }).click();
    await solana('faults', { mode: 'rpc-down' });
    await again(page).click();
    await text(page, 'The wallet network is not responding. Nothing was charged. Try again in a moment.');
    await shot(page, 'wallet-network-away-desk');
    await solana('faults', { mode: 'clear' });
    await again(page).click();
    await approve(page);
    await text(page, 'The badge is yours.');
    await person.leave();
  });

  inProof('is refused before anything is signed when the wallet has too little or is on another network', async () => {
    const person = await newcomer();
    const { page } = person;
    await purchase(page).click();
    await connectWallet(page, { poor: true });
    const needed = 'With the network fee and the least that a wallet must keep, 0.02089588 SOL is needed.';
    await text(page, `Development Wallet has 0.00 SOL. ${needed}`);
    const wallet = await person.context.newPage();
    await wallet.goto(`${origin}/dev/wallet`);
    await wallet.getByLabel('Network').selectOption('solana:devnet');
    await again(page).click();
    await text(page, 'Development Wallet is not on the local Solana network.');
    await wallet.getByRole('button', { name: 'New account' }).click();
    await text(page, 'Wallet account changed');
    expect(await orders(page)).not.toContainEqual(expect.objectContaining({ status: 'sent' }));
    await person.leave();
  });

  inProof('can be bought from Rankings and Settings too', async () => {
    const person = await newcomer('phone');
    const { page } = person;
    for (const tab of ['leaderboard', 'settings']) {
      await page.goto(`${origin}/?tab=${tab}`);
      await page.getByRole('button', { name: /^Purchase/ }).click();
      await page.getByTestId('connect-wallet').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Purchase/ }).waitFor();
    }
    await page.getByRole('button', { name: /^Purchase/ }).click();
    await connectToPay(page);
    await approve(page);
    await text(page, 'The badge is yours.');
    await page.keyboard.press('Escape');
    await text(page, 'Owned');
    await person.leave();
  });
});

inProof(
  'the wallet loads nothing of Solana before it is needed; connects, is remembered over a reload, and leaves',
  async () => {
    const person = await newcomer();
    const { page } = person;
    const scripts: string[] = [];
    page.on('response', async (response) => {
      if (response.request().resourceType() !== 'script') return;
      if (SOLANA.test(await response.text().catch(() => ''))) scripts.push(response.url());
    });
    await page.reload();
    await purchase(page).waitFor();
    expect(scripts).toEqual([]);
    await page.getByTestId('wallet').first().click();
    const address = await connectWallet(page);
    await expect.poll(() => scripts.length).toBeGreaterThan(0);
    const short = `${address.slice(0, 4)}...${address.slice(-4)}`;
    await page.getByTestId('wallet').filter({ hasText: short }).waitFor();
    await page.reload();
    await page.getByTestId('wallet').filter({ hasText: short }).waitFor();
    await page.getByTestId('wallet').click();
    await page.getByTestId('wallet-disconnect').click();
    await page.getByTestId('wallet').filter({ hasText: 'Connect wallet' }).waitFor();
    await person.leave();
  },
);
