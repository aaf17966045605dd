// @vitest-environment jsdom
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { offline, problem, type TestSdk } from '@cord/sdk/testing';
import { act, cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { loadOverlays } from '@cord/ui';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { BadgeCard } from './badge-card';
import { ClaimBanner } from './claim-banner';
import { ORDER, walletSdk } from './wallet.fixtures';

const { cordClaim, cordClaimHistory, createOrder, order, solPrice } = rewardEndpoints;

beforeAll(loadOverlays);

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const settle = (ms = 50) => act(async () => vi.advanceTimersByTimeAsync(ms));

async function show(sdk: TestSdk, what: React.ReactNode) {
  const view = renderWithSdk(what, sdk);
  await settle();
  return view;
}

async function claim(prepare: (sdk: TestSdk) => void = () => undefined) {
  const sdk = walletSdk({ holder: true });
  prepare(sdk);
  const { user } = await show(sdk, <ClaimBanner />);
  await user.click(screen.getByRole('button', { name: 'Claim 10,000 CORD' }));
  await settle();
  return { sdk, user };
}

async function buy(prepare: (sdk: TestSdk) => void = () => undefined) {
  const sdk = walletSdk();
  prepare(sdk);
  const { user } = await show(sdk, <BadgeCard />);
  await user.click(screen.getByRole('button', { name: 'Purchase Badge' }));
  await settle();
  return { sdk, user };
}

test('without the badge no reward is offered, and nothing is asked', async () => {
  const sdk = walletSdk();
  const { container } = await show(sdk, <ClaimBanner />);
  expect(container.textContent).toBe('');
  expect(sdk.api.calls).toEqual([]);
});

test('a holder is offered the reward and may dismiss it', async () => {
  const sdk = walletSdk({ holder: true });
  const { user, container } = await show(sdk, <ClaimBanner />);
  expect(screen.getByText('Special Reward Available')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(container.textContent).toBe('');
});

test('during the claim the button reads Processing... and cannot be pressed again', async () => {
  const { sdk, user } = await claim(({ api }) => void api.hang(cordClaim));
  const button = screen.getByRole('button', { name: 'Processing...' });
  await user.click(button);
  expect(sdk.api.callsOf(cordClaim)).toHaveLength(1);
});

test('a claim that went through says Reward Claimed! and moves the balance', async () => {
  const { sdk } = await claim();
  expect(screen.getByText('Reward Claimed!')).toBeDefined();
  expect(screen.getByRole('button', { name: /Claimed Successfully/ }).getAttribute('aria-disabled')).toBe('true');
  expect(sdk.session.state.get().user?.current_balance).toBe(58_213.57);
  expect(sdk.api.callsOf(cordClaim)[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
});

test('once the history has an entry the banner is the Claimed one', async () => {
  const sdk = walletSdk({ holder: true });
  sdk.api.on(cordClaimHistory, { claims: [{ amount: 10_000, at: '2026-11-01T10:00:00.000Z' }] });
  await show(sdk, <ClaimBanner />);
  expect(screen.getByText('Cord Reward Claimed')).toBeDefined();
  expect(screen.getByText('10,000 CORD on 1 Nov 2026.')).toBeDefined();
});

test.each([
  [problem(422, 'Failed to claim CORDs'), 'Failed to claim CORDs'],
  [problem(409, 'Failed to claim CORDs. It was claimed before.'), 'Failed to claim CORDs. It was claimed before.'],
  [problem(500, ''), 'Failed to claim CORDs'],
  [offline(), 'Network error. Please try again.'],
])('a claim that fails says why and can be retried: %#', async (error, text) => {
  await claim(({ api }) => void api.fail(cordClaim, error));
  expect(screen.getByText(text)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Claim 10,000 CORD' }).getAttribute('aria-disabled')).toBeNull();
});

test('the badge says what it brings and costs, with the age of the quote', async () => {
  await show(walletSdk(), <BadgeCard />);
  for (const text of ['5% mining bonus', 'Priority support', 'Exclusive badge display', '0.02 SOL']) {
    expect(screen.getByText(text)).toBeDefined();
  }
  expect(screen.getByText('about $3.12, quoted 2 min ago')).toBeDefined();
});

test('a fallback quote says estimate, and no quote says so', async () => {
  const sdk = walletSdk();
  sdk.api.on(solPrice, { usd: 50, at: ORDER.createdAt, estimate: true });
  await show(sdk, <BadgeCard />);
  expect(screen.getByText('about $1.00, estimate')).toBeDefined();
  cleanup();
  const dumb = walletSdk();
  dumb.api.fail(solPrice, offline());
  await show(dumb, <BadgeCard />);
  expect(screen.getByText('price in USD not known')).toBeDefined();
});

test('once owned, the card says so and sells nothing', async () => {
  await show(walletSdk({ holder: true }), <BadgeCard />);
  expect(screen.getByText('You Own the Badge of Honor!')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Purchase Badge' })).toBeNull();
});

test('a purchase that fails reads Try Again with its reason, and is idle again after 5 s', async () => {
  await buy(({ api }) => void api.fail(createOrder, problem(503, 'Failed to create badge purchase record')));
  expect(screen.getByText('Purchase Failed')).toBeDefined();
  expect(screen.getByText('Failed to create badge purchase record')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined();
  await settle(4_800);
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined();
  await settle(300);
  expect(screen.getByRole('button', { name: 'Purchase Badge' })).toBeDefined();
});

test('an order shows how to pay exactly it, from any wallet', async () => {
  await buy();
  expect(screen.getByRole('dialog', { name: 'Pay for your badge' })).toBeDefined();
  const href = screen.getByRole('link', { name: 'Open in wallet' }).getAttribute('href') ?? '';
  const link = new URL(href);
  expect(link.pathname).toBe(ORDER.treasury);
  expect(link.searchParams.get('amount')).toBe('0.02');
  expect(link.searchParams.get('reference')).toBe(ORDER.reference);
});

test('a confirmed order makes a holder, without a word of the page being trusted', async () => {
  const { sdk } = await buy();
  expect(sdk.session.state.get().user?.hasbadgeofhonor).toBe(false);
  sdk.api.on(order, { ...ORDER, status: 'confirmed' });
  await settle(3_100);
  expect(sdk.session.state.get().user?.hasbadgeofhonor).toBe(true);
  expect(screen.getByText('You Own the Badge of Honor!')).toBeDefined();
});

test('a payment of unknown outcome stays visible and warns of paying twice', async () => {
  await buy(({ api }) => void api.on(order, { ...ORDER, status: 'unknown' }));
  await settle(100);
  expect(screen.getByText('Paid, outcome unknown. It is looked up until it is known; never pay twice.')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Open in wallet' })).toBeNull();
});
