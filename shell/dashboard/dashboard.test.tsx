import { rules } from '@cord/contracts/addresses/rules';
import { at, SAMPLE_NOW_MS, sampleMining, sampleRules, sampleUser } from '@cord/sdk/testing';
import { act, advance, cleanup, outOfReach } from '@cord/sdk/testing/render';
import { expectWhys } from '@cord/ui/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FIRST_PAGE } from '../ledger/ledger.fixtures';
import { renderInShell } from '../testing/render';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';
import { Dashboard } from './dashboard';

const DAY_MS = 86_400_000;
const BETA = {
  id: 'beta',
  name: 'Beta',
  description: 'All mining pays a tenth more until the epoch closes.',
  rewardsMultiplier: 1.1,
  startDate: new Date(SAMPLE_NOW_MS - 9 * DAY_MS).toISOString(),
  endDate: new Date(SAMPLE_NOW_MS + 6 * DAY_MS + 14 * 3_600_000 + 22 * 60_000).toISOString(),
};

function show(options: TestShellOptions = {}, node = sampleMining(), epoch = BETA) {
  const shell = createTestShell(options);
  shell.sdk.api
    .on(at.mining.current, node)
    .on(at.rewards.compensationStatus, { available: false, claimed: false, amount: 5_000, claimedAt: null })
    .on(at.rewards.currentEpoch, epoch)
    .on(at.leaderboard.global, { activeMiners: 212, totalMiners: 1_284, totalMined: 7_912_400, onlineNow: 300 });
  return renderInShell(shell, <Dashboard />);
}

describe('the dashboard', () => {
  it('shows a dash for the active miners while the server is unreachable', async () => {
    await outOfReach(createTestShell().sdk);
    show();
    await waitFor(() => expect(screen.getByText('Active miners').closest('div')?.textContent).toContain('–'));
  });

  it('welcomes the user with rank and name', () => {
    show();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome back, mara.okafor');
    expect(screen.getByText('Rank #37')).toBeTruthy();
  });

  it('does not welcome a newcomer back', () => {
    const signedIn = sampleUser().last_login_time;
    show({ user: sampleUser({ join_date: signedIn, last_login_time: signedIn }) });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, mara.okafor');
  });

  it('shows the current balance, growing with the node', async () => {
    const { shell } = show();
    await waitFor(() => expect(shell.sdk.session.node.get()?.status).toBe('active'));
    const card = within(screen.getByLabelText('Balance'));
    expect(card.getByText('48,213.57')).toBeTruthy();
    // 1.925 CORD a minute for a minute.
    await advance(shell.sdk, 60_000);
    expect(card.getByText('48,215.49')).toBeTruthy();
  });

  it('shows the rank among all miners, and the active miners', async () => {
    show();
    await waitFor(() => expect(screen.getByText('of 1,284')).toBeTruthy());
    expect(screen.getByTestId('rank').dataset.value).toBe('37');
    expect(screen.getByText('212')).toBeTruthy();
  });

  it('shows one rate for a paused node, equal to that of its explanation', async () => {
    const old = { tier: 3.5, antiCheat: 1, badge: false, epoch: 1, epochId: 'alpha' };
    const { shell, user } = show({}, sampleMining({ status: 'paused', leaseUntil: null, rate: 1.75, factors: old }));
    await waitFor(() => expect(shell.sdk.session.node.get()?.status).toBe('paused'));
    await screen.findByRole('heading', { name: 'Epoch Beta' });
    expect(screen.getAllByText('1.925000').length).toBe(2);
    expect(screen.queryByText('1.750000')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Why this number? Mining rate' }));
    const why = within(await screen.findByRole('dialog'));
    expect(await why.findByText('1.925000')).toBeTruthy();
  });

  it('shows a dash for unknown values, never a number', () => {
    show({ user: sampleUser({ rate: null, daily_earnings: null, rank: null }) }, sampleMining());
    expect(screen.getAllByText('Unranked').length).toBeGreaterThan(0);
    expect(within(screen.getByLabelText('Balance')).getAllByText('–').length).toBeGreaterThan(0);
  });

  it('shows no rise if nothing was earned today', () => {
    const { container } = show({ user: sampleUser({ daily_earnings: 0 }) });
    expect(container.querySelector('.lucide-arrow-up')).toBeNull();
    cleanup();
    expect(show().container.querySelector('.lucide-arrow-up')).not.toBeNull();
  });

  it('shows how far away the next tier is', () => {
    show();
    expect(screen.getByText('×5 in 0.6 years')).toBeTruthy();
  });

  it('shows the epoch, its time left, and the rate including the epoch', async () => {
    show();
    expect(await screen.findByText('Epoch Beta')).toBeTruthy();
    expect(screen.getByText('6 days, 14 hours, 22 minutes')).toBeTruthy();
    expect(screen.getAllByText('1.925000').length).toBeGreaterThan(0);
  });

  it('uses the singular for one day, one hour and one minute', async () => {
    show({}, sampleMining(), { ...BETA, endDate: new Date(SAMPLE_NOW_MS + DAY_MS + 3_660_000).toISOString() });
    expect(await screen.findByText('1 day, 1 hour, 1 minute')).toBeTruthy();
  });

  it('explains the rate by its factors', async () => {
    const { user } = show();
    await screen.findByText('Epoch Beta');
    await user.click(screen.getByRole('button', { name: 'Why this number? Multiplier' }));
    const table = within(await screen.findByRole('table'));
    expect(table.getByText('Account age, 5.4 years')).toBeTruthy();
    expect(table.getByText('+1.250000')).toBeTruthy();
    expect(table.getByText('+0.175000')).toBeTruthy();
    expect(table.getByText('×3.85')).toBeTruthy();
  });

  it('loads a part for badge holders only once the user is one', async () => {
    const { shell } = show({ parts: { wallet: { 'claim-banner': () => <p>the reward</p> } } });
    const load = vi.spyOn(shell.sdk.parts, 'load');
    expect(screen.queryByText('the reward')).toBeNull();
    act(() => shell.sdk.session.merge({ id: sampleUser().id, hasbadgeofhonor: true }));
    expect(await screen.findByText('the reward')).toBeTruthy();
    expect(load.mock.calls.map(([name]) => name)).toContain('wallet/claim-banner');
  });

  it('shows the parts that modules provide, and no error for missing ones', async () => {
    show({ parts: { mining: { 'node-card': () => <p>the node card</p> } } });
    expect(await screen.findByText('the node card')).toBeTruthy();
    expect(screen.queryByTestId('error-panel')).toBeNull();
  });
});

describe('a full view in place of the dashboard', () => {
  const parts = { mining: { earnings: () => <h1>All earnings</h1> } };
  const greeting = () => screen.getByText('Welcome back, mara.okafor');

  it('is shown while the address names it, with the dashboard hidden behind it', async () => {
    const { shell } = show({ parts });
    act(() => shell.tabs.setParam('dashboard', 'view', 'earnings'));
    expect(await screen.findByText('All earnings')).toBeTruthy();
    expect(greeting().closest('[style*="display: none"]')).not.toBeNull();
    act(() => shell.tabs.setParam('dashboard', 'view', null));
    await waitFor(() => expect(screen.queryByText('All earnings')).toBeNull());
    expect(greeting().closest('[style*="display: none"]')).toBeNull();
  });

  it('that no module provides leaves the dashboard', () => {
    const { shell } = show({ parts });
    act(() => shell.tabs.setParam('dashboard', 'view', 'node-card'));
    expect(greeting().closest('[style*="display: none"]')).toBeNull();
  });
});

describe('"Why this number?" on the dashboard', () => {
  it('shows the bonus of the badge by the rules in force', async () => {
    const { shell, user } = show();
    await screen.findByText('Honor adds 5%');
    shell.sdk.api.on(rules, sampleRules({ badgeHundredths: 107 }));
    shell.sdk.cache.invalidate([['rules']]);
    await screen.findByText('Honor adds 7%');
    await expectWhys(user, [['Badge status', /The Badge of Honor adds 7% to your rate/]]);
  });

  it('explains each number with its formula and inputs, and the balance with its entries', async () => {
    const { shell, user } = show();
    shell.sdk.api.on(at.mining.ledger, FIRST_PAGE);
    await screen.findByText('Epoch Beta');
    await screen.findByText('212');
    await expectWhys(user, [
      ['Balance', /All your ledger entries added up.*As of \d\d:03.*Mined since then\+0\.00/],
      ['earned today, not counting claims', /since 00:00 UTC/],
      ['This week', /since Monday, 00:00 UTC/],
      ['This month', /since the 1st of the month, 00:00 UTC/],
      ['Rank', /Your place among all miners.*Total earned48,213\.57All miners1,284/],
      ['Active miners', /with a visit in the last 8 hours.*On the site in the last 5 minutes300/],
      ['Mining rate', /Account age, 5\.4 years.*1\.925000/],
      ['Account age', /Years of 365\.25 days.*×3\.5/],
      ['Badge status', /adds 5% to your rate/],
      ['Epoch multiplier', /the same for everyone.*Until/],
      ['Your rate, epoch included', /Epoch Beta.*×1\.1/],
      ['Balance', /Daily check-in, day 4 of the streak/],
    ]);
  });
});
