import { at, problem, sampleSettings, sampleUser } from '@cord/sdk/testing';
import { act } from '@cord/sdk/testing/render';
import { browserOf } from '@cord/ui/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { followLanguage } from '../app/language';
import { opensByKey, setOpensByKey } from '../notices/open-key';
import { INNER_PARTS } from '../testing/module-parts';
import { HERE, session, show, THERE } from './settings.stage';

describe('settings', () => {
  it('show the user’s data', () => {
    const { shell } = show();
    const facts = () =>
      [...screen.getByText('Badge of Honor').closest('dl')!.children].map(({ textContent }) => textContent);
    expect(facts()).toEqual([
      'Account age5.4 years',
      'Multiplier×3.5',
      'Joined3 Oct 2026',
      'Total earned48,213.57 CORD',
      'Referral codeK7M2QX9D',
      'Badge of HonorNot owned',
    ]);
    act(() => shell.sdk.session.merge({ id: sampleUser().id, hasbadgeofhonor: true }));
    expect(facts().at(-1)).toBe('Badge of HonorOwned');
  });

  it('are hidden behind the rules and the check of the ledger, and return after them', async () => {
    const { shell } = show();
    act(() => shell.tabs.go('settings'));
    const isHidden = () => screen.getByText('Settings').closest('[style*="display: none"]') !== null;
    for (const view of ['rules', 'proof']) {
      expect(isHidden()).toBe(false);
      act(() => shell.tabs.setParam('settings', 'view', view));
      expect(isHidden()).toBe(true);
      act(() => shell.tabs.setParam('settings', 'view', null));
    }
  });

  it('link to each section, and mark the first visible one', async () => {
    let see: (ids: Record<string, boolean>) => void = () => undefined;
    class Observer {
      constructor(changed: (changes: object[]) => void) {
        see = (ids) => changed(Object.entries(ids).map(([id, isIntersecting]) => ({ target: { id }, isIntersecting })));
      }
      observe() {}
      disconnect() {}
    }
    browserOf({ widthPx: 1440 });
    vi.stubGlobal('IntersectionObserver', Observer);
    const { user } = show();
    const nav = within(screen.getByRole('navigation', { name: 'Sections of the settings' }));
    expect(nav.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Profile information',
      'Appearance',
      'Language',
      'Mining configuration',
      'Notifications',
      'Security',
      'Data management',
      'Support',
      'Account actions',
    ]);
    await user.click(nav.getByRole('button', { name: 'Security' }));
    expect(document.activeElement?.id).toBe('settings-security');
    act(() => see({ 'settings-data': true, 'settings-security': true }));
    expect(nav.getByRole('button', { current: true }).textContent).toBe('Security');
    act(() => see({ 'settings-security': false }));
    expect(nav.getByRole('button', { current: true }).textContent).toMatch(/^Data/);
  });

  it('set theme and motion of this device, and the key N', async () => {
    const { shell, user } = show();
    await user.click(screen.getByRole('radio', { name: 'Light' }));
    await user.click(screen.getByRole('switch', { name: /^Live motion/ }));
    expect([shell.appearance.theme.get(), shell.appearance.liveMotion.get()]).toEqual(['light', false]);
    await user.click(screen.getByRole('switch', { name: /^Open with N/ }));
    expect(opensByKey.get()).toBe(false);
    setOpensByKey(true);
  });

  it.each([
    ['is', true, {}, 'CORD as an appIt is installed and runs in its own window.'],
    ['may be by hand', false, { standalone: false }, 'CORD as an appIn Safari, tap Share, then Add to Home Screen.'],
    ['cannot be', false, {}, undefined],
  ])('have the right text, or none, if the app %s installed here', (_what, standalone, safari, shown) => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: standalone && query.includes('standalone'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    Object.assign(navigator, safari);
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'standalone'));
    show();
    expect(screen.queryByText('CORD as an app')?.parentElement?.textContent).toBe(shown);
  });

  it('open the purchase of the badge in compact size', async () => {
    const bought: unknown[] = [];
    const { user } = show({
      wallet: {
        'purchase-button': ({ size }) => (
          <button type="button" onClick={() => bought.push(size)}>
            Purchase
          </button>
        ),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Purchase' }));
    expect(bought).toEqual(['compact']);
  });

  it('save the language for the account, and change the page at once', async () => {
    const { shell, user } = show(INNER_PARTS);
    onTestFinished(followLanguage(document.documentElement, localStorage, shell.sdk));
    shell.sdk.api.on(at.users.update, sampleUser({ locale: 'de' }));
    await user.click(screen.getByRole('button', { name: 'Language: English' }));
    const languages = await screen.findAllByRole('menuitem');
    expect(languages.map((each) => each.textContent)).toEqual([
      'Same as browserEnglish',
      'English(chosen)complete',
      'Deutschvollständig',
    ]);
    await user.click(screen.getByRole('menuitem', { name: /Deutsch/ }));
    expect(await screen.findByRole('heading', { name: 'Einstellungen' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sprache: Deutsch' })).toBeTruthy();
    expect(screen.getByText('48.213,57 CORD')).toBeTruthy();
    expect(await screen.findByText('Safari auf iPhone')).toBeTruthy();
    expect(await screen.findByText('Sauber')).toBeTruthy();
    expect(document.documentElement.lang).toBe('de');
    expect(shell.sdk.api.callsOf(at.users.update)).toMatchObject([{ body: { locale: 'de' } }]);
    act(() => shell.sdk.session.merge({ id: sampleUser().id, locale: 'xx' }));
    expect(screen.getByRole('button', { name: 'Language: Same as browser' })).toBeTruthy();
    shell.sdk.api.fail(at.users.update, problem(503, 'down'));
    await user.click(screen.getByRole('button', { name: 'Language: Same as browser' }));
    await user.click(screen.getByRole('menuitem', { name: /Deutsch/ }));
    await waitFor(() => expect(shell.sdk.shown).toMatchObject([{ title: 'Not saved' }]));
    act(() => shell.sdk.session.merge({ id: sampleUser().id, locale: 'en' }));
  });

  it('end another session; this one is only shown', async () => {
    const { shell, user } = show();
    await screen.findByText('Safari on iPhone');
    shell.sdk.api.on(at.auth.endSession, () => {
      shell.sdk.api.on(at.auth.sessions, [HERE]);
      return undefined;
    });
    await user.click(screen.getByRole('button', { name: 'End the session on Safari on iPhone' }));
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull());
    expect(shell.sdk.api.callsOf(at.auth.endSession)[0]?.params).toEqual({ id: THERE.id });
    expect(screen.getByText(/Chromium on Linux/).textContent).toBe(
      'Chromium on Linux. Ends after 7 days, on 28 Nov 2026.',
    );
    expect(screen.queryByRole('button', { name: 'End all' })).toBeNull();
  });

  it('end all other sessions with one call, and show a failure of it', async () => {
    const { shell, user } = show({}, [HERE, THERE, session('c'.repeat(32), false)]);
    shell.sdk.api.fail(at.auth.endSessions, problem(503, 'down'));
    await user.click(await screen.findByRole('button', { name: 'End all' }));
    await waitFor(() => expect(shell.sdk.shown).toMatchObject([{ title: 'Session not ended', text: 'down' }]));
    shell.sdk.api.on(at.auth.endSessions, () => {
      shell.sdk.api.on(at.auth.sessions, [HERE]);
      return undefined;
    });
    await user.click(screen.getByRole('button', { name: 'End all' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'End all' })).toBeNull());
    expect(shell.sdk.api.callsOf(at.auth.endSession)).toEqual([]);
  });

  it('show the three latest devices, and all of them on a press', async () => {
    const devices = [1, 2, 3, 4].map((n) => ({
      ...session(String(n).repeat(32), false),
      device: `Safari on Mac ${n}`,
      lastSeenAt: `2026-11-2${n}T11:00:00.000Z`,
    }));
    const { user } = show({}, [...devices, HERE]);
    await screen.findByText('Signed in on this browser');
    const named = () => [1, 2, 3, 4].filter((n) => screen.queryByText(new RegExp(`Mac ${n}$`)) !== null);
    expect(named()).toEqual([3, 4]);
    await user.click(screen.getByRole('button', { name: 'Show all (5)' }));
    expect(named()).toEqual([1, 2, 3, 4]);
  });

  it('list the kinds of notices while the choices load', async () => {
    let answer: () => void = () => undefined;
    show({}, [HERE], ({ on }) =>
      on(at.users.getSettings, async () => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return sampleSettings();
      }),
    );
    const kind = 'Payment confirmed or refunded';
    expect(screen.getByText(kind)).toBeTruthy();
    expect(screen.queryByRole('radiogroup', { name: kind })).toBeNull();
    answer();
    expect(await screen.findByRole('radiogroup', { name: kind })).toBeTruthy();
    expect(screen.getAllByText(kind)).toHaveLength(1);
  });

  it.each([
    ['sessions', at.auth.sessions, [HERE], 'Signed in on this browser'],
    ['settings', at.users.getSettings, sampleSettings(), 'Auto-start'],
  ])('show when %s could not be loaded, with Retry', async (what, endpoint, answer, shown) => {
    const { shell, user } = show({}, [HERE], (api) => void api.fail(endpoint, problem(503, 'down')));
    await screen.findAllByText(`Your ${what} could not be loaded`);
    shell.sdk.api.on(endpoint, answer as never);
    await user.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
    expect(await screen.findByText(shown)).toBeTruthy();
  });
});
