import { rules } from '@cord/contracts/addresses/rules';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { at, problem, sampleRules } from '@cord/sdk/testing';
import { outOfReach } from '@cord/sdk/testing/render';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { Landing } from './landing';

function show(prepare: (shell: ReturnType<typeof createTestShell>) => void) {
  const shell = createTestShell({ user: null });
  shell.sdk.api.on(at.rewards.currentEpoch, null);
  prepare(shell);
  return renderInShell(shell, <Landing />);
}

describe('the landing page', () => {
  it('shows its promises and how the sign-in works', () => {
    show(() => undefined);
    for (const text of [
      'Mine CORD from account age',
      'Complete daily challenges and social tasks',
      'Climb rankings against miners worldwide',
      'Secure OAuth',
      'No password needed',
      'Start earning instantly',
    ]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
  });

  it('shows where a link leads after the sign-in, and passes that place on', async () => {
    history.replaceState(null, '', '/?tab=leaderboard&miner=ada');
    const { shell, user } = show(({ sdk }) => sdk.api.on(at.auth.jwks, { keys: [] }));
    expect(screen.getByTestId('link-kept').textContent).toContain('Sign in to see this miner’s profile');
    await user.click(screen.getByRole('button', { name: 'Connect Discord & Start Mining' }));
    await shell.connect.start();
    expect(shell.visited).toEqual(['/api/auth/discord?back=tab%3Dleaderboard%26miner%3Dada']);
  });

  it('shows that an unconfirmed sign-out applies on this page only, and why', () => {
    show(({ ended }) => ended.set({ unconfirmed: 'CORD cannot be reached' }));
    const notice = screen.getByTestId('signed-out').textContent;
    expect(notice).toContain('Signed out on this page only');
    expect(notice).toContain('The server did not confirm it: CORD cannot be reached');
    expect(screen.queryByText(/You are signed out\./)).toBeNull();
  });

  it('opens the sign-in', async () => {
    const { shell, user } = show(() => undefined);
    await user.click(screen.getByRole('button', { name: 'Connect Discord & Start Mining' }));
    expect(shell.connect.state.get()).toEqual({ status: 'idle' });
  });

  it('shows the real figures, with their time by the server’s clock', async () => {
    const { shell } = show(({ sdk }) =>
      sdk.api.on(at.leaderboard.global, {
        activeMiners: 3,
        totalMiners: 12,
        totalMined: 7_912_459.9,
        onlineNow: 4,
      }),
    );
    const figures = within(screen.getByLabelText('Live figures'));
    expect(await figures.findByText('12')).toBeTruthy();
    expect(figures.getByText('7,912.4K')).toBeTruthy();
    expect(figures.getByText('4')).toBeTruthy();
    const serverTime = new Date(shell.sdk.clock.now()).toISOString().slice(11, 16);
    expect(figures.getByText(`Counted from live data at ${serverTime} UTC.`)).toBeTruthy();
  });

  it('shows dashes for unknown figures', async () => {
    show((shell) => shell.sdk.api.fail(at.leaderboard.global, problem(503, 'down')));
    const figures = within(screen.getByLabelText('Live figures'));
    await waitFor(() => expect(figures.getAllByText('–')).toHaveLength(3));
    expect(screen.queryByText(/1,250|125K|\b89\b/)).toBeNull();
  });

  it('shows dashes and no loading text while the server is unreachable', async () => {
    await outOfReach(createTestShell().sdk);
    show(() => undefined);
    const figures = within(screen.getByLabelText('Live figures'));
    await waitFor(() => expect(figures.getAllByText('–')).toHaveLength(3));
    expect(figures.getByText('The live figures are not available at the moment.')).toBeTruthy();
  });

  it('shows the numbers of the rules in force', async () => {
    const tiers = FIRST_BOOK.tiers.slice(0, 8);
    show(({ sdk }) => {
      sdk.api.on(rules, sampleRules({ checkinMicro: 49_500_000, streakMostMicro: 90_000_000, tiers }));
    });
    expect(screen.getByText(/^A check-in pays 50 CORD plus a streak bonus of up to 100\./)).toBeTruthy();
    expect(screen.getByText(/the faster you earn: up to ×10\.$/)).toBeTruthy();
    await screen.findByText(/^A check-in pays 49.5 CORD plus a streak bonus of up to 90\./);
    expect(screen.getByText(/the faster you earn: up to ×7\.$/)).toBeTruthy();
  });

  it('has a row for each of the nine tiers, with its rate', () => {
    show(() => undefined);
    const rows = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent);
    expect(rows).toHaveLength(9);
    expect(rows[0]).toBe('under 1 year×10.500000');
    expect(rows[8]).toBe('8 years or more×105.000000');
    expect(screen.getByText('Recomputed').closest('dl')?.textContent).toContain('Recomputedcontinuously');
  });
});
