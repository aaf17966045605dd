import { deviceStorage, tabStorage } from '@cord/sdk';
import { formatLocale, PERSONAL_KEYS } from '@cord/sdk/host';
import { at, createTestSdk, offline, problem, sampleUser } from '@cord/sdk/testing';
import { renderWithSdk } from '@cord/sdk/testing/render';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { endOf } from './ended-elsewhere';
import { useKeepLastSeen } from './last-seen';
import { followSignOuts, isLeaving } from './leaving';
import { signOut } from './sign-out';
import { SignOutDialog } from './sign-out-dialog';

function Page() {
  useKeepLastSeen(true);
  return null;
}

describe('signing out', () => {
  it('is marked while it lasts, so that a 401 during it is not a lost session', async () => {
    const sdk = createTestSdk();
    let during = false;
    sdk.api.on(at.auth.logout, () => {
      during = isLeaving();
      return undefined;
    });
    await signOut(sdk);
    expect(during).toBe(true);
    expect(isLeaving()).toBe(false);
  });

  it('is announced to the other tabs before the server ends the session; the mark expires after 15 s', async () => {
    const sdk = createTestSdk();
    let sentBefore: unknown[] = [];
    let draftBefore: string | null = '';
    tabStorage.setItem('cord.drafts', 'a letter');
    sdk.api.on(at.auth.logout, () => {
      sentBefore = [...sdk.sent];
      draftBefore = tabStorage.getItem('cord.drafts');
      return undefined;
    });
    await signOut(sdk);
    expect([sentBefore, draftBefore]).toEqual([[{ kind: 'leaving', userId: sampleUser().id }], null]);

    vi.useFakeTimers();
    const other = createTestSdk();
    followSignOuts(other);
    expect(isLeaving()).toBe(false);
    other.receive({ kind: 'leaving', userId: sampleUser().id });
    expect(isLeaving()).toBe(true);
    vi.advanceTimersByTime(15_001);
    expect(isLeaving()).toBe(false);
  });

  it('ends the session and deletes the user’s data', async () => {
    const sdk = createTestSdk();
    sdk.api.on(at.auth.logout, undefined);
    sdk.queries.setQueryData(['settings'], { autoStart: true });
    expect(await signOut(sdk)).toBeNull();
    expect(sdk.session.state.get().status).toBe('signed-out');
    expect(sdk.queries.getQueryData(['settings'])).toBeUndefined();
    expect(sdk.sent).toContainEqual({ kind: 'signed-out', userId: sampleUser().id });
  });

  it('ends the push subscription of the browser', async () => {
    const sdk = createTestSdk();
    sdk.api.on(at.auth.logout, undefined);
    const taken = vi.fn(async (_name: string) => true);
    const unsubscribe = vi.fn(async () => true);
    vi.stubGlobal('caches', { delete: taken });
    const worker = { pushManager: { getSubscription: async () => ({ unsubscribe }) } };
    const serviceWorker = { getRegistration: async () => worker };
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
    await signOut(sdk);
    await waitFor(() => expect(unsubscribe).toHaveBeenCalledOnce());
    expect(taken).toHaveBeenCalledExactlyOnceWith('cord-push');
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });

  it('deletes all personal data on this device, including later writes, until the next sign-in', async () => {
    const sdk = createTestSdk();
    sdk.api.on(at.auth.logout, undefined);
    sdk.api.on(at.mining.current, null);
    const keep = () => {
      for (const key of PERSONAL_KEYS) {
        deviceStorage.setItem(key, 'of somebody');
        tabStorage.setItem(key, 'of somebody');
      }
    };
    keep();
    for (const key of ['cord.theme', 'cord.payment']) deviceStorage.setItem(key, 'of this device');
    const page = renderWithSdk(<Page />, sdk);
    window.dispatchEvent(new Event('pagehide'));
    expect(localStorage.getItem('cord.last-seen')).toContain(sampleUser().id);
    await signOut(sdk);
    page.unmount();
    window.dispatchEvent(new Event('pagehide'));
    // A late write, as by a busy module.
    keep();
    expect(Object.keys(localStorage).sort()).toEqual(['cord.payment', 'cord.theme']);
    expect(Object.keys(sessionStorage)).toEqual([]);
    sdk.session.signIn(sampleUser());
    deviceStorage.setItem('cord.rank-seen', 'of the next');
    expect(localStorage.getItem('cord.rank-seen')).toBe('of the next');
  });

  it('deletes it in the other tabs too; a session that expired there keeps it', async () => {
    const user = sampleUser({ id: 'another' });
    const other = createTestSdk({ user });
    followSignOuts(other);
    const userId = user.id;
    deviceStorage.setItem('cord.last-seen', 'seen');
    other.session.signOut();
    other.receive({ kind: 'signed-out', userId });
    expect(deviceStorage.getItem('cord.last-seen')).toBe('seen');
    other.session.signIn({ ...user, locale: 'en-IN' });
    tabStorage.setItem('cord.drafts', 'a letter');
    other.receive({ kind: 'leaving', userId });
    expect(formatLocale.get()).toBe('en-IN');
    expect([deviceStorage.getItem('cord.last-seen'), tabStorage.getItem('cord.drafts')]).toEqual(['seen', null]);
    other.receive({ kind: 'signed-out', userId });
    expect(deviceStorage.getItem('cord.last-seen')).toBeNull();
    expect(formatLocale.get()).toBe('en-GB');
    deviceStorage.setItem('cord.last-seen', 'too late');
    expect(localStorage.getItem('cord.last-seen')).toBeNull();
    // The next session ends by itself.
    other.session.signIn(user);
    deviceStorage.setItem('cord.last-seen', 'seen');
    other.receive({ kind: 'signed-out', userId });
    expect(deviceStorage.getItem('cord.last-seen')).toBe('seen');
  });

  it('waits until the push subscription has ended, for at most 2 s', async () => {
    vi.useFakeTimers();
    const sdk = createTestSdk();
    sdk.api.on(at.auth.logout, undefined);
    let end: () => void = () => undefined;
    const pushManager = {
      getSubscription: async () => ({
        unsubscribe: () =>
          new Promise<void>((resolve) => {
            end = resolve;
          }),
      }),
    };
    const serviceWorker = { getRegistration: async () => ({ pushManager }) };
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
    const outcome = async (act: () => unknown) => {
      sdk.session.signIn(sampleUser());
      const leaving = signOut(sdk);
      await vi.advanceTimersByTimeAsync(1_000);
      const during = sdk.session.state.get().status;
      await act();
      await leaving;
      return [during, sdk.session.state.get().status];
    };
    expect(await outcome(() => end())).toEqual(['signed-in', 'signed-out']);
    expect(await outcome(() => vi.advanceTimersByTimeAsync(1_000))).toEqual(['signed-in', 'signed-out']);
    vi.useRealTimers();
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });

  it('signs out here even if the call failed, and returns the error', async () => {
    const sdk = createTestSdk();
    sdk.api.fail(at.auth.logout, offline());
    expect(await signOut(sdk)).toMatchObject({ kind: 'network' });
    expect(sdk.session.state.get().status).toBe('signed-out');
    // The other tabs receive it before the sign-out.
    expect(sdk.sent.map(endOf)).toEqual([null, { unconfirmed: expect.any(String) }, null]);
  });

  it('is no failure if the session had already ended', async () => {
    const sdk = createTestSdk();
    sdk.api.fail(at.auth.logout, problem(401, 'Sign in first'));
    expect(await signOut(sdk)).toBeNull();
  });
});

describe('the sign-out dialog', () => {
  it('does nothing on Cancel', async () => {
    const shell = createTestShell();
    const { sdk } = shell;
    const onOpenChange = vi.fn();
    const { user } = renderInShell(shell, <SignOutDialog open onOpenChange={onOpenChange} />);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onOpenChange).toHaveBeenCalledWith(false);
    expect(sdk.session.state.get().status).toBe('signed-in');
  });

  it('signs out on Sign Out', async () => {
    const shell = createTestShell();
    const { sdk } = shell;
    sdk.api.on(at.auth.logout, undefined);
    const { user } = renderInShell(shell, <SignOutDialog open onOpenChange={() => undefined} />);
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    await waitFor(() => expect(sdk.session.state.get().status).toBe('signed-out'));
    expect(sdk.shown).toEqual([]);
  });

  it('is busy, and cannot be cancelled, until the server responds', async () => {
    const shell = createTestShell();
    shell.sdk.api.hang(at.auth.logout);
    const onOpenChange = vi.fn();
    const { user } = renderInShell(shell, <SignOutDialog open onOpenChange={onOpenChange} />);
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    const busy = await screen.findByRole('button', { name: 'Signing out' });
    expect(busy.getAttribute('aria-busy')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onOpenChange).not.toHaveBeenCalled();
  });

  it('leaves the reason to the landing page if the server did not confirm, without a toast for the next user', async () => {
    const shell = createTestShell();
    shell.sdk.api.fail(at.auth.logout, problem(503, 'down'));
    const { user } = renderInShell(shell, <SignOutDialog open onOpenChange={() => undefined} />);
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    await waitFor(() => expect(shell.ended.get()).toEqual({ unconfirmed: 'down' }));
    expect(shell.sdk.session.state.get().status).toBe('signed-out');
    expect(shell.sdk.shown).toEqual([]);
  });
});
