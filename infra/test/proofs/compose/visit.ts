/**
 * Plays a user and an operator of a deployment, in Chromium through its ingress. `visit.ts FOLDER first` signs in,
 * mines, claims and buys a badge; `room` is the operator; `again` returns with the same session and finds the data;
 * `restored` returns after a restore, which ended the session. Prints the successful steps; fails on any error.
 */
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@solana/web3.js';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { api, ledgerMicro, ownId, shown } from '../../../e2e/people.ts';
import { button, goTo, seen, toast } from '../../../e2e/screens.ts';
import { keepToasts } from '../../../e2e/toasts.ts';
import { CHROMIUM_LAUNCH } from '../../chromium.ts';
import { payFrom } from '../../kit/pay.ts';
import { post } from '../../kit/post.ts';
import { until } from '../../kit/until.ts';
import { HOSTS, useHosts } from './hosts.ts';
import { OPERATOR, PUBLIC_ORIGIN } from './names.ts';

const [folder = '', moment = ''] = process.argv.slice(2);
const WAIT_MS_MAX = 60_000;
const SOLANA = 'https://solana.example';
const CHECK_IN_CORD = 55;
const BADGE_CLAIM_CORD = 10_000;
const KEPT = join(folder, 'visitor.json');

interface Kept {
  storage: Awaited<ReturnType<BrowserContext['storageState']>>;
  userId: string;
  account: { id: string };
  micro: number;
}

const MOMENTS: Readonly<Record<string, () => Promise<void>>> = { first, room, again, restored };
useHosts();
const browser = await chromium.launch({ ...CHROMIUM_LAUNCH, args: [...CHROMIUM_LAUNCH.args, ...(await flags())] });
try {
  await MOMENTS[moment]?.();
} finally {
  await browser.close();
}

/** Chromium flags: resolve the names to this machine, and trust only the two certificates. */
async function flags() {
  const keys = await Promise.all(
    ['ingress.crt', 'world/tls.crt'].map(async (file) => {
      const { publicKey } = new X509Certificate(await readFile(join(folder, file)));
      return createHash('sha256')
        .update(publicKey.export({ type: 'spki', format: 'der' }))
        .digest('base64');
    }),
  );
  const rules = Object.entries(HOSTS).map(([name, address]) => `MAP ${name} ${address}`);
  return [`--host-resolver-rules=${rules.join(', ')}`, `--ignore-certificate-errors-spki-list=${keys.join(',')}`];
}

async function visitor(storage?: Kept['storage']) {
  const context = await browser.newContext({ locale: 'en-GB', ...(storage ? { storageState: storage } : {}) });
  await keepToasts(context);
  context.setDefaultTimeout(WAIT_MS_MAX);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Mixed Content/.test(message.text())) problems.push(message.text());
  });
  return { context, page, problems };
}

/** Signs in as that account, through the landing page and Discord's page. */
async function signIn(page: Page, account: { id: string }) {
  await page.goto(PUBLIC_ORIGIN);
  await button(page, 'Connect Discord & Start Mining').click();
  await button(page, 'Continue to Discord').click();
  await page.waitForURL(/^https:\/\/discord\.com\/oauth2\/authorize/);
  const address = new URL(page.url());
  address.searchParams.set('account', account.id);
  await page.goto(address.href);
  await page.getByTestId('tab-dashboard').first().waitFor();
}

async function first() {
  const { context, page, problems } = await visitor();
  const createdAt = new Date(Date.now() - 5.4 * 31_557_600_000).toISOString();
  const account = (await post('https://discord.com/accounts', { username: 'newcomer', createdAt })) as { id: string };
  await signIn(page, account);
  console.log('signed in through the ingress, at discord.com');

  const welcome = page.getByTestId('welcome-popup');
  await button(welcome, 'Start Mining').click();
  await toast(page, 'Mining Node Started!');
  await welcome.waitFor({ state: 'detached' });
  const userId = await ownId(page);
  const before = await ledgerMicro(page, userId);
  await until('the node mines', async () => (await ledgerMicro(page, userId)) > before, WAIT_MS_MAX);
  console.log('mines');

  await goTo(page, 'tasks');
  await button(page, `Check in for ${CHECK_IN_CORD} CORD`).click();
  await toast(page, 'Daily Check-in Complete!');
  await seen(page, 'Claimed today');
  assert.equal(await shown(page, 'streak'), 1);
  console.log('claimed the check-in');

  const order = await api<{ id: string; treasury: string; reference: string; lamports: number }>(
    page,
    'POST',
    '/badge-orders',
    {},
  );
  assert.equal(order.status, 201, JSON.stringify(order.body));
  const airdrop = (address: string) => post(`${SOLANA}/dev/solana/airdrop`, { address, sol: 1 });
  const transactionHash = await payFrom({ connection: new Connection(`${SOLANA}/`), airdrop }, order.body);
  const paid = {
    userId,
    orderId: order.body.id,
    walletAddress: '1'.repeat(32),
    amountSol: 0.02,
    amountUsd: 1,
    transactionHash,
  };
  await api(page, 'POST', '/badge-purchases', paid);
  const status = async () => (await api<{ status: string }>(page, 'GET', `/badge-orders/${order.body.id}`)).body.status;
  await until('the badge is bought', async () => (await status()) === 'confirmed', WAIT_MS_MAX);
  await page.goto(`${PUBLIC_ORIGIN}/?tab=wallet`);
  const claim = button(page, `Claim ${BADGE_CLAIM_CORD.toLocaleString('en')} CORD`);
  await page.goto(`${PUBLIC_ORIGIN}/?tab=dashboard`);
  await claim.click();
  await seen(page, 'Reward Claimed!');
  console.log('bought the badge and claimed its reward');
  const micro = await ledgerMicro(page, userId);
  const kept: Kept = { storage: await context.storageState(), userId, account, micro };
  assert.ok(kept.micro > (BADGE_CLAIM_CORD + CHECK_IN_CORD) * 1e6, String(kept.micro));
  await writeFile(KEPT, JSON.stringify(kept));
  assert.deepEqual(problems, []);
  await context.close();
}

/** Checks the operators' room: everything is normal, and the issued amounts are shown. */
async function room() {
  const { context, page, problems } = await visitor();
  await signIn(page, OPERATOR);
  await until('the role has come', async () => (await api(page, 'GET', '/admin/overview')).status === 200, WAIT_MS_MAX);
  await page.goto(`${PUBLIC_ORIGIN}/?tab=admin`);
  const overview = page.getByTestId('operators-overview');
  await overview.getByTestId('issued-chart').waitFor();
  await seen(overview, '7 of 7 normal');
  console.log('an operator reads the room');
  assert.deepEqual(problems, []);
  await context.close();
}

async function again() {
  const { storage, userId, micro } = JSON.parse(await readFile(KEPT, 'utf8')) as Kept;
  const { page, problems } = await visitor(storage);
  await page.goto(PUBLIC_ORIGIN);
  await page.getByTestId('tab-dashboard').first().waitFor();
  assert.equal(await ownId(page), userId);
  const now = await ledgerMicro(page, userId);
  assert.ok(now >= micro, `${now} after ${micro}`);
  await until('the node mines on', async () => (await ledgerMicro(page, userId)) > now, WAIT_MS_MAX);
  console.log('is still signed in, has all earnings, and continues mining');
  assert.deepEqual(problems, []);
}

async function restored() {
  const { storage, userId, account, micro } = JSON.parse(await readFile(KEPT, 'utf8')) as Kept;
  const before = await visitor(storage);
  await before.page.goto(PUBLIC_ORIGIN);
  await button(before.page, 'Connect Discord & Start Mining').waitFor();
  const { page, problems } = await visitor();
  await signIn(page, account);
  assert.equal(await ownId(page), userId);
  const now = await ledgerMicro(page, userId);
  assert.ok(now >= micro, `${now} after ${micro}`);
  await until('the node mines on', async () => (await ledgerMicro(page, userId)) > now, WAIT_MS_MAX);
  console.log('signs in again, has all earnings, and continues mining');
  assert.deepEqual(problems, []);
}
