import { at, createTestSdk, offline, problem, SAMPLE_NOW_MS, sampleUser } from '@cord/sdk/testing';
import { backInReach, cleanup, outOfReach, renderWithSdk } from '@cord/sdk/testing/render';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { CompensationBanner } from './compensation-banner';

const HOUR_MS = 3_600_000;

function show(status: { available: boolean; claimed: boolean; claimedAt?: string }) {
  const sdk = createTestSdk();
  sdk.api.on(at.mining.current, null).on(at.rewards.compensationStatus, { claimedAt: null, ...status, amount: 5_000 });
  return { sdk, ...renderWithSdk(<CompensationBanner />, sdk) };
}

const OPEN = { available: true, claimed: false };

/** Returns the response to a claim; from then on the status shows it. */
function paid(sdk: ReturnType<typeof createTestSdk>) {
  sdk.api.on(at.rewards.compensationStatus, { ...OPEN, claimed: true, amount: 5_000, claimedAt: null });
  return {
    success: true as const,
    rewardAmount: 5_000,
    newBalance: 53_213.57,
    pending: false,
    updatedUser: { id: sampleUser().id, balanceSeq: '101', current_balance: 53_213.57 },
  };
}

describe('the compensation banner', () => {
  it('offers the one-time claim, then shows it as claimed, with the new balance', async () => {
    const { sdk, user } = show(OPEN);
    sdk.api.on(at.rewards.compensation, () => paid(sdk));
    await user.click(await screen.findByRole('button', { name: 'Claim 5,000 CORD' }));
    expect(await screen.findByText('Compensation Claimed')).toBeTruthy();
    expect(sdk.session.state.get().user?.current_balance).toBe(53_213.57);
    expect(sdk.api.callsOf(at.rewards.compensation)[0]?.idempotencyKey).toBeTruthy();
  });

  it('refreshes the whole record after a claim, so that the total earned includes it', async () => {
    const { sdk, user } = show(OPEN);
    const before = sampleUser().total_earned ?? 0;
    sdk.api.on(at.rewards.compensation, () => paid(sdk));
    sdk.api.on(at.users.get, { ...sampleUser(), balanceSeq: '101', total_earned: before + 5_000 });
    await user.click(await screen.findByRole('button', { name: 'Claim 5,000 CORD' }));
    await waitFor(() => expect(sdk.session.state.get().user?.total_earned).toBe(before + 5_000));
  });

  it('does not offer a paid claim again while the status is being read', async () => {
    const { sdk, user } = show(OPEN);
    sdk.api.on(at.rewards.compensation, () => {
      const answer = paid(sdk);
      sdk.api.hang(at.rewards.compensationStatus);
      return answer;
    });
    await user.click(await screen.findByRole('button', { name: 'Claim 5,000 CORD' }));
    expect(await screen.findByText('Compensation Claimed')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Claim 5,000 CORD' })).toBeNull();
  });

  it('takes no space while the server is unreachable, and appears once it responds', async () => {
    const sdk = createTestSdk();
    sdk.api.on(at.mining.current, null);
    sdk.api.on(at.rewards.compensationStatus, { ...OPEN, amount: 5_000, claimedAt: null });
    await outOfReach(sdk);
    const { container } = renderWithSdk(<CompensationBanner />, sdk);
    expect(container.innerHTML).toBe('');
    await backInReach(sdk);
    expect(await screen.findByRole('button', { name: 'Claim 5,000 CORD' })).toBeTruthy();
  });

  it('shows a claim for a day, over reloads, then leaves the dashboard for good', async () => {
    const claimed = (hoursAgo: number) => ({
      ...OPEN,
      claimed: true,
      claimedAt: new Date(SAMPLE_NOW_MS - hoursAgo * HOUR_MS).toISOString(),
    });
    show(claimed(23));
    expect(await screen.findByText('Compensation Claimed')).toBeTruthy();
    cleanup();
    const { sdk, container } = show(claimed(24));
    await waitFor(() => expect(sdk.api.callsOf(at.rewards.compensationStatus)).toHaveLength(1));
    await waitFor(() => expect(localStorage.length).toBe(1));
    expect(container.textContent).toBe('');
    cleanup();
    const { sdk: later } = show(claimed(25));
    expect(later.api.callsOf(at.rewards.compensationStatus)).toEqual([]);
  });

  it('can be dismissed once claimed', async () => {
    const { user } = show({ ...OPEN, claimed: true, claimedAt: new Date(SAMPLE_NOW_MS).toISOString() });
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('Compensation Claimed')).toBeNull();
  });

  it('shows a claim with a lost response as paid once the status includes it', async () => {
    const { sdk, user } = show(OPEN);
    await screen.findByRole('button', { name: 'Claim 5,000 CORD' });
    sdk.api.on(at.rewards.compensation, () => {
      sdk.api.on(at.rewards.compensationStatus, { ...OPEN, claimed: true, amount: 5_000, claimedAt: null });
      throw offline();
    });
    await user.click(screen.getByRole('button', { name: 'Claim 5,000 CORD' }));
    expect(await screen.findByText('Compensation Claimed')).toBeTruthy();
  });

  it('shows the server’s text of a refusal, and offers the claim again', async () => {
    const { sdk, user } = show(OPEN);
    sdk.api.fail(at.rewards.compensation, problem(409, 'Compensation already claimed'));
    await user.click(await screen.findByRole('button', { name: 'Claim 5,000 CORD' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Compensation already claimed');
    expect(sdk.shown).toEqual([
      { kind: 'error', title: 'Claim Failed', text: 'Compensation already claimed', durationMs: 5_000 },
    ]);
    expect(screen.getByRole('button', { name: 'Claim 5,000 CORD' })).toBeTruthy();
  });

  it('shows a network error', async () => {
    const { sdk, user } = show(OPEN);
    sdk.api.fail(at.rewards.compensation, offline());
    await user.click(await screen.findByRole('button', { name: 'Claim 5,000 CORD' }));
    expect(await screen.findByText('Network error. Please try again.')).toBeTruthy();
    expect(sdk.shown[0]).toMatchObject({ title: 'Network Error', durationMs: 5_000 });
  });

  it('is empty when no compensation is available', async () => {
    const { sdk, container } = show({ available: false, claimed: false });
    await expect.poll(() => sdk.api.callsOf(at.rewards.compensationStatus).length).toBe(1);
    expect(container.textContent).toBe('');
  });
});
