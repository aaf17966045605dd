import { at, offline, problem, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { act, cleanup, inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ClaimBanner } from './claim-banner';
import { walletSdk } from './wallet.fixtures';

const { cordClaim, cordClaimHistory } = at.rewards;

inFakeTime();

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
  return { sdk, user };
}

test('without the badge no reward is offered, and nothing is requested', async () => {
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

test('while it is unknown whether the reward was claimed, it is not offered', async () => {
  const sdk = walletSdk({ holder: true });
  sdk.api.hang(cordClaimHistory);
  const { container } = await show(sdk, <ClaimBanner />);
  expect(container.textContent).toBe('');
});

test('a reward that was claimed in another tab is refused here, and then shown as claimed', async () => {
  await claim(
    ({ api }) =>
      void api.on(cordClaim, () => {
        api.on(cordClaimHistory, { claims: [{ amount: 10_000, at: '2026-11-01T10:00:00.000Z' }] });
        throw problem(409, 'It has already been claimed.');
      }),
  );
  expect(screen.getByText('10,000 CORD on 1 Nov 2026.')).toBeDefined();
});

test('what was claimed is not offered again to who leaves the page and returns', async () => {
  const { sdk } = await claim(({ api, session, clock }) => {
    api.on(cordClaim, () => {
      api.on(cordClaimHistory, { claims: [{ amount: 10_000, at: new Date(clock.now()).toISOString() }] });
      const { id = '' } = session.state.get().user ?? {};
      return { success: true as const, amountClaimed: 10_000, newBalance: null, pending: false, updatedUser: { id } };
    });
  });
  cleanup();
  await show(sdk, <ClaimBanner />);
  expect(screen.getByText('Cord Reward Claimed')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('what was dismissed stays dismissed: after a return, in the other tabs, and for this user only', async () => {
  const sdk = walletSdk({ holder: true });
  const { user } = await show(sdk, <ClaimBanner />);
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  cleanup();
  const again = await show(sdk, <ClaimBanner />);
  expect(again.container.textContent).toBe('');
  cleanup();
  sdk.session.signIn({ ...sampleUser({ hasbadgeofhonor: true }), id: 'f'.repeat(32) });
  await show(sdk, <ClaimBanner />);
  expect(screen.getByText('Special Reward Available')).toBeDefined();
  // Another tab of this browser dismisses it.
  localStorage.setItem(`cord.dismissed.cord-claim.${'f'.repeat(32)}`, 'yes');
  await act(async () => void window.dispatchEvent(new StorageEvent('storage')));
  expect(screen.queryByText('Special Reward Available')).toBeNull();
});

test('during the claim the button reads Processing... and cannot be pressed again', async () => {
  const { sdk, user } = await claim(({ api }) => void api.hang(cordClaim));
  const button = screen.getByRole('button', { name: 'Processing...' });
  await user.click(button);
  expect(sdk.api.callsOf(cordClaim)).toHaveLength(1);
});

test('a claim that went through shows Reward Claimed! and moves the balance', async () => {
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
  [
    problem(409, 'Failed to claim CORDs. It has already been claimed.'),
    'Failed to claim CORDs. It has already been claimed.',
  ],
  [problem(500, ''), 'Failed to claim CORDs'],
  [offline(), 'Network error. Please try again.'],
])('a claim that fails shows why and can be retried: %#', async (error, text) => {
  await claim(({ api }) => void api.fail(cordClaim, error));
  expect(screen.getByText(text)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Claim 10,000 CORD' }).getAttribute('aria-disabled')).toBeNull();
});
