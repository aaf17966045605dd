import { at, sampleMining, sampleUser } from '@cord/sdk/testing';
import { advance } from '@cord/sdk/testing/render';
import { browserOf } from '@cord/ui/testing';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { USER_MENU } from '../app/lazy-files';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { BottomBar } from './bottom-bar';
import { Header } from './header';
import { MenuSheet } from './menu-sheet';

beforeAll(USER_MENU.preload);

function show(widthPx: number, menuOpen = false) {
  browserOf({ widthPx });
  const shell = createTestShell();
  shell.sdk.api.on(at.mining.current, sampleMining()).on(at.users.update, sampleUser());
  const onOpenMenu = vi.fn();
  const view = renderInShell(
    shell,
    <>
      <Header onOpenMenu={onOpenMenu} />
      {widthPx < 1024 && (
        <>
          <BottomBar menuOpen={menuOpen} onOpenMenu={onOpenMenu} />
          <MenuSheet open={menuOpen} onOpenChange={() => undefined} />
        </>
      )}
    </>,
  );
  return { onOpenMenu, ...view };
}

describe('the header', () => {
  it('has six tabs; a click switches the tab and the address', async () => {
    const { shell, user } = show(1440);
    const names = ['Dashboard', 'Mining', 'Tasks', 'Rankings', 'Referrals', 'Settings'];
    const tabs = screen.getByRole('navigation', { name: 'Tabs' });
    expect([...tabs.querySelectorAll('a')].map((tab) => tab.textContent?.replace(/ \(.*/, ''))).toEqual(names);
    await user.click(screen.getByTestId('tab-leaderboard'));
    expect(shell.tabs.current.get()).toBe('leaderboard');
    expect(location.search).toBe('?tab=leaderboard');
    expect(screen.getByTestId('tab-leaderboard').getAttribute('aria-current')).toBe('page');
  });

  it.each([1440, 390])(
    'marks the Tasks tab while today is open, at %i px, and no longer once it is done',
    async (widthPx) => {
      const { shell } = show(widthPx);
      expect(screen.getByTestId('tab-tasks').textContent).toBe('Tasks (today is open)');
      act(() => shell.sdk.session.merge({ id: sampleUser().id, daily_checkin_claimed: true }));
      expect(screen.getByTestId('tab-tasks').textContent).toBe('Tasks');
    },
  );

  it('shows the current balance, also as a plain number in its data attribute', async () => {
    const { shell } = show(1440);
    await waitFor(() => expect(shell.sdk.session.node.get()?.status).toBe('active'));
    expect(screen.getByTestId('balance').dataset.value).toBe('48213.57');
    await advance(shell.sdk, 60_000);
    expect(screen.getByTestId('balance').textContent).toBe('48,215.49');
    expect(Number(screen.getByTestId('balance').dataset.value)).toBeCloseTo(48_215.495, 6);
  });

  it('shows in words that the node is online', async () => {
    show(1440);
    await waitFor(() => expect(screen.getByTestId('tab-node').textContent).toContain('node is online'));
  });

  it('has a menu that leads to settings and friends, changes theme and motion, and signs out', async () => {
    const { shell, user } = show(1440);
    await user.click(screen.getByTestId('user-menu'));
    await user.click(screen.getByTestId('theme'));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(shell.sdk.api.callsOf(at.users.update)[0]?.body).toEqual({ theme: 'dark' });
    await user.click(screen.getByTestId('live-motion'));
    expect(document.documentElement.dataset.motion).toBe('off');
    await user.click(screen.getByText('Invite friends'));
    expect(shell.tabs.current.get()).toBe('referrals');
    await user.click(screen.getByTestId('user-menu'));
    await user.click(screen.getByTestId('sign-out'));
    expect(shell.signingOut.get()).toBe(true);
  });
});

describe('small screens', () => {
  it('have a bottom bar with four tabs and Menu', async () => {
    const { user, onOpenMenu } = show(390);
    const bar = screen.getByRole('navigation', { name: 'Tabs' });
    expect([...bar.children].map((item) => item.textContent?.replace(/ \(.*/, ''))).toEqual([
      'Dashboard',
      'Mining',
      'Tasks',
      'Rankings',
      'Menu',
    ]);
    await user.click(screen.getByTestId('menu'));
    expect(onOpenMenu).toHaveBeenCalledOnce();
  });

  it('have everything else in the sheet, and each test id once', async () => {
    const { shell, user } = show(390, true);
    const sheet = screen.getByTestId('menu-sheet');
    for (const label of ['Balance', 'Referrals', 'Settings', 'Theme', 'Live motion', 'Sign Out']) {
      expect(sheet.textContent).toContain(label);
    }
    expect(document.querySelectorAll('[data-testid="balance"]')).toHaveLength(1);
    await user.click(screen.getByTestId('tab-settings'));
    expect(shell.tabs.current.get()).toBe('settings');
  });
});
