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

test('a holder is offered the reward and can dismiss it', async () => {
  const sdk = walletSdk({ holder: true });
  const { user, container } = await show(sdk, <ClaimBanner />);
  expect(screen.getByText('Special Reward Available')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(container.textContent).toBe('');
});

test('while the history is loading, the reward is not offered', async () => {
  const sdk = walletSdk({ holder: true });
  sdk.api.hang(cordClaimHistory);
  const { container } = await show(sdk, <ClaimBanner />);
  expect(container.textContent).toBe('');
});

test('a reward already claimed in another tab is refused, and then shown as claimed', async () => {
  await claim(
    ({ api }) =>
      void api.on(cordClaim, () => {
        api.on(cordClaimHistory, { claims: [{ amount: 10_000, at: '2026-11-01T10:00:00.000Z' }] });
        throw problem(409, 'It has already been claimed.');
      }),
  );
  expect(screen.getByText('10,000 CORD on 1 Nov 2026.')).toBeDefined();
});

test('a claimed reward is not offered again after leaving the page and returning', async () => {
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

test('a dismissal lasts over a return and in other tabs, for this user only', async () => {
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

test('while claiming, the button shows Processing... and is disabled', async () => {
  const { sdk, user } = await claim(({ api }) => void api.hang(cordClaim));
  const button = screen.getByRole('button', { name: 'Processing...' });
  await user.click(button);
  expect(sdk.api.callsOf(cordClaim)).toHaveLength(1);
});

test('a successful claim shows Reward Claimed! and updates the balance', async () => {
  const { sdk } = await claim();
  expect(screen.getByText('Reward Claimed!')).toBeDefined();
  expect(screen.getByRole('button', { name: /Claimed Successfully/ }).getAttribute('aria-disabled')).toBe('true');
  expect(sdk.session.state.get().user?.current_balance).toBe(58_213.57);
  expect(sdk.api.callsOf(cordClaim)[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
});

test('with an entry in the history the banner shows the claimed reward', async () => {
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
])('a failed claim shows why and can be retried: %#', async (error, text) => {
  await claim(({ api }) => void api.fail(cordClaim, error));
  expect(screen.getByText(text)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Claim 10,000 CORD' }).getAttribute('aria-disabled')).toBeNull();
});
