import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type LedgerPage, ledgerOf, makeAccount as makeStandInAccount } from '../test/kit/people.ts';
import type { Visitor } from './browser.js';
import type { Tab } from './screens.js';

/** A Discord account of the stand-in. */
export interface Account {
  id: string;
  username: string;
}

/** Creates a Discord account of that age in the stand-in. */
export async function makeAccount(
  origin: string,
  years: number,
  name = `miner${Math.random().toString(36).slice(2, 10)}`,
): Promise<Account> {
  return { id: await makeStandInAccount(origin, { years, username: name }), username: name };
}

/** Calls the API with the page's own cookie, as JSON. */
export async function api<T>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: T }> {
  return page.evaluate(
    async ([verb, address, payload]) => {
      const response = await fetch(`/api${address}`, {
        method: verb as string,
        ...(payload === undefined
          ? {}
          : { body: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }),
      });
      const text = await response.text();
      return { status: response.status, body: text ? JSON.parse(text) : null };
    },
    [method, path, body] as const,
  ) as Promise<{ status: number; body: T }>;
}

/** Reads the plain number of a displayed value (infra/e2e/README.md#test-ids). */
export async function shown(page: Page, testId: string): Promise<number> {
  const value = await page.getByTestId(testId).first().getAttribute('data-value');
  return Number(value);
}

/** Signs in as that account, through the landing page and Discord's page; the welcome popup stays open. */
export async function signIn(page: Page, origin: string, account: Account): Promise<void> {
  await page.goto(origin);
  await page.getByRole('button', { name: 'Connect Discord & Start Mining' }).first().click();
  await page.getByRole('button', { name: 'Continue to Discord' }).click();
  await approve(page, account);
}

/** Selects the account on Discord's page. */
export async function approve(page: Page, account: Account): Promise<void> {
  await page.waitForURL(/\/dev\/discord\/oauth2\/authorize/);
  const address = new URL(page.url());
  address.searchParams.set('account', account.id);
  await page.goto(address.href);
  await page.getByTestId('tab-dashboard').first().waitFor();
}

/** Computes the balance from the ledger: all entries and the open amount, in micro-CORD. */
export async function ledgerMicro(page: Page, userId: string): Promise<number> {
  const { entries, openMicro } = await ledgerOf(
    userId,
    async (path) => (await api<LedgerPage>(page, 'GET', path)).body,
  );
  return Number(entries.reduce((sum, { micro }) => sum + micro, openMicro));
}

/** Returns the id of the signed-in user. */
export async function ownId(page: Page): Promise<string> {
  return (await api<{ user: { id: string } }>(page, 'GET', '/auth/me')).body.user.id;
}

/** A user signed in on a page. */
export interface Signed extends Account {
  userId: string;
}

interface Entry {
  /** Age of the account. */
  years?: number;
  account?: Account;
  /** A friend's code. */
  referralCode?: string;
  tab?: Tab;
}

/** Signs in by the API, with the welcome seen, and opens a tab: for journeys that start after the landing page. */
export async function enter(
  { context, page }: Visitor,
  origin: string,
  { years = 5.4, account, referralCode, tab = 'dashboard' }: Entry = {},
): Promise<Signed> {
  const who = account ?? (await makeAccount(origin, years));
  const query = referralCode === undefined ? '' : `?ref=${referralCode}`;
  const started = await context.request.get(`${origin}/api/auth/discord${query}`, { maxRedirects: 0 });
  const authorize = new URL(started.headers().location ?? '', origin);
  authorize.searchParams.set('account', who.id);
  await context.request.get(authorize.href);
  await context.request.post(`${origin}/api/auth/me/welcome`, { headers: { origin } });
  const me = (await (await context.request.get(`${origin}/api/auth/me`)).json()) as { user: { id: string } };
  await page.goto(`${origin}/?tab=${tab}`);
  await page.getByTestId('tab-dashboard').first().waitFor();
  return { ...who, userId: me.user.id };
}

/** Returns the user's own referral code. */
export async function ownCode(page: Page, userId: string): Promise<string> {
  return (await api<{ referralCode: string }>(page, 'GET', `/referrals/${userId}/stats`)).body.referralCode;
}

/** Signs a user in and makes that user an operator. */
export async function enterAsOperator(person: Visitor, origin: string): Promise<void> {
  const { userId } = await enter(person, origin);
  await fetch(`${origin}/dev/users/${userId}/admin`, { method: 'POST' });
  await expect.poll(async () => (await api(person.page, 'GET', '/admin/overview')).status).toBe(200);
  // Each service learns the role separately, and the page at its next load of the user.
  await expect.poll(async () => (await api(person.page, 'GET', '/epochs')).status).toBe(200);
  await person.page.reload();
}
