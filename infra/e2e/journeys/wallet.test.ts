import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { post } from '../../test/kit/post.ts';
import { inProof, shot, type Visitor, visitor } from '../browser.js';
import { approve, connectWallet, purchase } from '../development-wallet.js';
import { api, enter, ledgerMicro, ownId, shown } from '../people.js';

const origin = inject('origin');
const PRICE_LAMPORTS = 20_000_000;
/** 5.4 years: x3.5; 1.75 CORD a minute, and 5 % more with the badge. */
const YEARS = 5.4;
const RATE_WITH_BADGE = 1.8375;
/** Matches code of @solana/web3.js. */
const SOLANA = /SystemProgram|ComputeBudget/;

async function lamportsOf(address: string): Promise<number> {
  const body = { jsonrpc: '2.0', id: 1, method: 'getBalance', params: [address] };
  const answer = await post(`${origin}/dev/solana/rpc`, body);
  return (answer as { result: { value: number } }).result.value;
}

async function treasury(): Promise<string> {
  return ((await (await fetch(`${origin}/dev/solana`)).json()) as { treasury: string }).treasury;
}

const text = (page: Page, shown: string) => page.getByText(shown).first().waitFor();

async function newcomer(): Promise<Visitor> {
  const person = await visitor();
  await enter(person, origin, { years: YEARS });
  return person;
}

test('buying the Badge of Honor pays the treasury its price, adds 5 % to the rate, and allows the 10,000 CORD claim', async () => {
  const person = await newcomer();
  const { page } = person;
  const [to, before] = [await treasury(), await lamportsOf(await treasury())];
  await purchase(page).click();
  await shot(page, 'wallet-choose-desk');
  await connectWallet(page);
  await text(page, 'Approve a payment');
  await text(page, '0.02 SOL');
  await shot(page, 'wallet-approve-desk');
  await approve(page);
  await text(page, 'The badge is yours.');
  await shot(page, 'wallet-confirmed-desk');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Success' }).waitFor();
  await expect.poll(() => page.evaluate(`document.activeElement?.closest('main') != null`)).toBe(true);
  await text(page, 'You Own the Badge of Honor!');
  const userId = await ownId(page);
  expect((await api<unknown[]>(page, 'GET', `/users/${userId}/badge-purchases`)).body).toHaveLength(1);
  expect((await lamportsOf(to)) - before).toBe(PRICE_LAMPORTS);
  await expect.poll(() => shown(page, 'rate')).toBe(RATE_WITH_BADGE);

  const balance = await ledgerMicro(page, userId);
  await page.getByRole('button', { name: 'Claim 10,000 CORD' }).click();
  await text(page, 'Reward Claimed!');
  expect(await ledgerMicro(page, userId)).toBe(balance + 10_000_000_000);
  await shot(page, 'wallet-owned-desk');
  await person.leave();
});

inProof(
  'the wallet loads no Solana code before it is needed, connects, stays connected over a reload, and disconnects',
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
