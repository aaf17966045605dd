import { at, SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import { cleanup } from '@cord/sdk/testing/render';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { writeLastSeen } from '../session/last-seen';
import { renderInShell } from '../testing/render';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';
import { WelcomePopup } from './welcome-popup';

function show(options: TestShellOptions, node: ReturnType<typeof sampleMining> | null = null) {
  const shell = createTestShell(options);
  shell.sdk.api
    .on(at.auth.acknowledgeWelcome, undefined)
    .on(at.mining.current, node)
    .on(at.leaderboard.global, { activeMiners: 212, totalMiners: 1284, totalMined: 1, onlineNow: 1 });
  return renderInShell(shell, <WelcomePopup />);
}

const NEWCOMER = { isNewUser: true, credited: 870, referralBonus: 87, pending: false };
const RETURNING = { isNewUser: false, credited: 0, referralBonus: null, pending: false };

describe('the welcome of a newcomer', () => {
  it('shows the credited amounts', () => {
    show({ welcome: NEWCOMER });
    const text = screen.getByRole('dialog').textContent;
    expect(text).toContain('New miner');
    expect(text).toContain('Your account is 5.4 years old, so your multiplier is ×3.5.');
    expect(text).toContain('Welcome credit870.00');
    expect(text).toContain('Invited by old_lantern, +10%87.00');
    expect(text).toContain('Added to your balance957.00');
  });

  it('shows no referral bonus if there is none', () => {
    show({ welcome: { ...NEWCOMER, referralBonus: null }, user: sampleUser({ referred_by: null }) });
    expect(screen.getByRole('dialog').textContent).not.toContain('+10%');
  });

  it('shows a pending credit as on its way, not as zero', () => {
    show({ welcome: { ...NEWCOMER, credited: 0, referralBonus: null, pending: true } });
    expect(screen.getByRole('dialog').textContent).toContain('Welcome creditOn its way');
  });

  it('starts the node with the action of Mining, and is acknowledged once it runs', async () => {
    const start = vi.fn(async () => true);
    const { shell, user } = show({ welcome: NEWCOMER, actions: { 'welcome.start': start } });
    await user.click(screen.getByRole('button', { name: 'Start Mining' }));
    await waitFor(() => expect(shell.startup.welcome.get()).toBeNull());
    expect(start).toHaveBeenCalledExactlyOnceWith(shell.sdk);
    expect(shell.sdk.api.callsOf(at.auth.acknowledgeWelcome)).toHaveLength(1);
  });

  it('stays without another message when the node does not start', async () => {
    const { shell, user } = show({ welcome: NEWCOMER, actions: { 'welcome.start': async () => false } });
    await user.click(screen.getByRole('button', { name: 'Start Mining' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start Mining' })).toBeTruthy());
    expect(shell.startup.welcome.get()).toEqual(NEWCOMER);
    expect(shell.sdk.shown).toEqual([]);
  });

  it('stays and shows an error when Mining does not load', async () => {
    const { shell, user } = show({ welcome: NEWCOMER });
    await user.click(screen.getByRole('button', { name: 'Start Mining' }));
    await waitFor(() => expect(shell.sdk.shown).toMatchObject([{ kind: 'error', title: 'Failed to Start Node' }]));
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(shell.sdk.reported).toMatchObject([{ place: { part: 'welcome.start' } }]);
  });
});

describe('the welcome of a returning user', () => {
  it('shows rank and balance, and when the node paused', async () => {
    show({ welcome: RETURNING }, sampleMining({ status: 'paused', creditedUntil: '2026-11-21T04:40:00.000Z' }));
    await waitFor(() => expect(screen.getByRole('dialog').textContent).toMatch(/Your node earned until \d\d:40/));
    const text = screen.getByRole('dialog').textContent;
    expect(text).toContain('Welcome back');
    expect(text).toContain('#37 of 1,284');
    expect(text).toContain('Balance48,213.57');
    expect(text).not.toContain('Welcome credit');
  });

  it('shows the day of a pause that is longer ago', async () => {
    show({ welcome: RETURNING }, sampleMining({ status: 'paused', creditedUntil: '2026-11-17T12:40:00.000Z' }));
    await waitFor(() =>
      expect(screen.getByRole('dialog').textContent).toMatch(/Your node earned until 1[78] Nov, \d\d:40, then paused/),
    );
  });

  it('shows the earnings since this device was last used', () => {
    writeLastSeen({ userId: sampleUser().id, micro: 47_289_570_000n, atMs: SAMPLE_NOW_MS - 9 * 3_600_000 });
    show({ welcome: RETURNING });
    expect(screen.getByRole('dialog').textContent).toContain('Earned while you were away924.00');
  });

  it('shows today’s earnings on a device that is new for the account', () => {
    writeLastSeen({ userId: 'f'.repeat(32), micro: 1n, atMs: SAMPLE_NOW_MS });
    show({ welcome: RETURNING });
    expect(screen.getByRole('dialog').textContent).toContain('Earned today425.71');
  });

  it('offers today’s check-in, but not to a newcomer', async () => {
    const parts = { tasks: { 'checkin-button': () => <button type="button">Check in for 115 CORD</button> } };
    show({ welcome: RETURNING, parts });
    expect(await screen.findByRole('button', { name: 'Check in for 115 CORD' })).toBeTruthy();
    cleanup();
    show({ welcome: NEWCOMER, parts });
    expect(screen.queryByRole('button', { name: 'Check in for 115 CORD' })).toBeNull();
  });

  it('leads to the dashboard if the node already runs', async () => {
    const { shell, user } = show({ welcome: RETURNING }, sampleMining());
    await user.click(await screen.findByRole('button', { name: 'Go to the dashboard' }));
    expect(shell.startup.welcome.get()).toBeNull();
  });
});

it('without a fresh sign-in there is no popup', () => {
  show({});
  expect(screen.queryByRole('dialog')).toBeNull();
});
