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
import { followOthersLeaving, isLeaving } from './leaving';
import { signOut } from './sign-out';
import { SignOutDialog } from './sign-out-dialog';

function Page() {
  useKeepLastSeen(true);
  return null;
}

describe('signing out', () => {
  it('is known while it lasts, so that a call refused meanwhile is not taken for a lost session', async () => {
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

  it('is known in the other tabs before the server ends the session, and not for ever', async () => {
    const sdk = createTestSdk();
    let sentBefore: unknown[] = [];
    sdk.api.on(at.auth.logout, () => {
      sentBefore = [...sdk.sent];
      return undefined;
    });
    await signOut(sdk);
    expect(sentBefore).toEqual([{ kind: 'leaving', userId: sampleUser().id }]);

    vi.useFakeTimers();
    const other = createTestSdk();
    followOthersLeaving(other);
    expect(isLeaving()).toBe(false);
    other.receive({ kind: 'leaving', userId: sampleUser().id });
    expect(isLeaving()).toBe(true);
    vi.advanceTimersByTime(15_001);
    expect(isLeaving()).toBe(false);
  });

  it('ends the session and forgets everything of the user', async () => {
    const sdk = createTestSdk();
    sdk.api.on(at.auth.logout, undefined);
    sdk.queries.setQueryData(['settings'], { autoStart: true });
    expect(await signOut(sdk)).toBeNull();
    expect(sdk.session.state.get().status).toBe('signed-out');
    expect(sdk.queries.getQueryData(['settings'])).toBeUndefined();
    expect(sdk.sent).toContainEqual({ kind: 'signed-out', userId: sampleUser().id });
  });

  it('leaves no browser that is pushed to behind', async () => {
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

  it('leaves nothing of the user on this device, though the page behind it goes last', async () => {
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

  it('does so in the other tabs, once the session has ended there; a session that ended by itself leaves it', async () => {
    const user = sampleUser({ id: 'another' });
    const other = createTestSdk({ user });
    followOthersLeaving(other);
    const userId = user.id;
    deviceStorage.setItem('cord.last-seen', 'seen');
    other.session.signOut();
    other.receive({ kind: 'signed-out', userId });
    expect(deviceStorage.getItem('cord.last-seen')).toBe('seen');
    other.session.signIn({ ...user, locale: 'en-IN' });
    other.receive({ kind: 'leaving', userId });
    expect(formatLocale.get()).toBe('en-IN');
    expect(deviceStorage.getItem('cord.last-seen')).toBe('seen');
    other.receive({ kind: 'signed-out', userId });
    expect(deviceStorage.getItem('cord.last-seen')).toBeNull();
    expect(formatLocale.get()).toBe('en-GB');
    deviceStorage.setItem('cord.last-seen', 'too late');
    expect(localStorage.getItem('cord.last-seen')).toBeNull();
  });

  it('waits until the browser is pushed to no more, and not for ever', async () => {
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

  it('forgets the user here also when the call failed, and shows it', async () => {
    const sdk = createTestSdk();
    sdk.api.fail(at.auth.logout, offline());
    expect(await signOut(sdk)).toMatchObject({ kind: 'network' });
    expect(sdk.session.state.get().status).toBe('signed-out');
    // The other tabs receive it before the sign-out.
    expect(sdk.sent.map(endOf)).toEqual([null, { unconfirmed: expect.any(String) }, null]);
  });

  it('a session that had ended already is no failure', async () => {
    const sdk = createTestSdk();
    sdk.api.fail(at.auth.logout, problem(401, 'Sign in first'));
    expect(await signOut(sdk)).toBeNull();
  });
});

describe('the sign-out dialog', () => {
  it('needs a confirmation: nothing happens on Cancel', async () => {
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

  it('leaves the reason to the landing page when the server did not confirm it: no toast waits for the next user', async () => {
    const shell = createTestShell();
    shell.sdk.api.fail(at.auth.logout, problem(503, 'down'));
    const { user } = renderInShell(shell, <SignOutDialog open onOpenChange={() => undefined} />);
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    await waitFor(() => expect(shell.ended.get()).toEqual({ unconfirmed: 'down' }));
    expect(shell.sdk.session.state.get().status).toBe('signed-out');
    expect(shell.sdk.shown).toEqual([]);
  });
});
