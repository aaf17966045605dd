import { SIGN_IN_TOO_OLD } from '@cord/contracts/addresses/auth';
import { at, offline, problem, sampleCheck, sampleSettings, sampleUser, type TestSdkOptions } from '@cord/sdk/testing';
import { act } from '@cord/sdk/testing/render';
import { browserOf } from '@cord/ui/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { followLanguage } from '../app/language';
import { sampleCheckOf } from '../ledger-check/check.fixtures';
import { opensByKey, setOpensByKey } from '../notices/open-key';
import { endOf } from '../session/ended-elsewhere';
import { INNER_PARTS } from '../testing/module-parts';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { Settings } from './settings';

/** jsdom's blobs are read by its reader alone. */
const textOf = (file: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(file);
  });

const AT = '2026-11-21T11:00:00.000Z';
const session = (id: string, current: boolean) => ({
  id,
  current,
  createdAt: AT,
  lastSeenAt: AT,
  expiresAt: '2026-11-28T11:00:00.000Z',
  device: current ? 'Chromium on Linux' : 'Safari on iPhone',
});
const HERE = session('a'.repeat(32), true);
const THERE = session('b'.repeat(32), false);

type Api = ReturnType<typeof createTestShell>['sdk']['api'];

function show(
  parts: NonNullable<TestSdkOptions['parts']> = {},
  sessions = [HERE, THERE],
  prepare: (api: Api) => void = () => undefined,
) {
  const shell = createTestShell({ parts });
  shell.sdk.api
    .on(at.mining.current, null)
    .on(at.support.anticheat, sampleCheck())
    .on(at.support.mine, [])
    .on(at.users.getSettings, sampleSettings())
    .on(at.auth.sessions, sessions);
  prepare(shell.sdk.api);
  return renderInShell(shell, <Settings />);
}

describe('settings', () => {
  it('show what is known of the user', () => {
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

  it('give way to the rules and to the check of the ledger, and are there again behind them', async () => {
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

  it('lead to each of their sections, and mark the first one that is read', async () => {
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

  it('have the theme and the motion of this device, and N for the notifications', async () => {
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
  ])('the app %s installed here', (_what, standalone, safari, shown) => {
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

  it('open the purchase of a badge that is not owned, as a line of text', async () => {
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

  it('the language is chosen for the account, and the page is in it at once', async () => {
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

  it('a toggle is saved on the server', async () => {
    const { shell, user } = show();
    let answer: () => void = () => undefined;
    shell.sdk.api.on(at.users.putSettings, async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return sampleSettings({ autoStart: true });
    });
    const saved = screen.getByTestId('settings-saved');
    expect(saved.textContent).toBe('All changes saved');
    await user.click(await screen.findByTestId('auto-start'));
    await waitFor(() => expect(saved.textContent).toBe('Saving'));
    answer();
    await waitFor(() => expect(saved.textContent).toBe('All changes saved'));
    expect(shell.sdk.api.callsOf(at.users.putSettings)[0]?.body).toEqual({ autoStart: true });
    expect(screen.getByTestId('auto-start').getAttribute('aria-checked')).toBe('true');
  });

  it('a toggle that the server refuses goes back, and shows why', async () => {
    const { shell, user } = show();
    shell.sdk.api.fail(at.users.putSettings, problem(503, 'Failed to update user settings'));
    await user.click(await screen.findByTestId('auto-start'));
    await waitFor(() =>
      expect(shell.sdk.shown[0]).toMatchObject({ title: 'Not saved', text: 'Failed to update user settings' }),
    );
    expect(screen.getByTestId('auto-start').getAttribute('aria-checked')).toBe('false');
  });

  it('of notices are chosen kind by kind, each saved alone; what is pushed shows in the app', async () => {
    const { shell, user } = show();
    const kept = sampleSettings({ notices: { payment: 'push', epoch: 'app' } });
    shell.sdk.api
      .on(at.users.getSettings, () => kept)
      .on(at.users.putSettings, () => ({ ...kept, notices: { ...kept.notices, epoch: 'off' } }));
    const chosen = (kind: string) =>
      within(screen.getByRole('radiogroup', { name: kind })).getByRole<HTMLInputElement>('radio', { checked: true });
    const payment = await screen.findByRole('radiogroup', { name: 'Payment confirmed or refunded' });
    expect(chosen('Payment confirmed or refunded').labels?.[0]?.textContent).toBe('In app');
    await user.click(within(screen.getByRole('radiogroup', { name: 'Epoch begins' })).getByLabelText('Off'));
    await waitFor(() => expect(chosen('Epoch begins').labels?.[0]?.textContent).toBe('Off'));
    expect(shell.sdk.api.callsOf(at.users.putSettings).map(({ body }) => body)).toEqual([
      { notices: { epoch: 'off' } },
    ]);
    expect(payment.isConnected).toBe(true);
  });

  it('two quick presses neither undo nor overtake each other, and one that fails takes back its own field only', async () => {
    const { shell, user } = show();
    const kept = sampleSettings();
    const answers: (() => void)[] = [];
    shell.sdk.api.on(at.users.putSettings, async ({ body }) => {
      await new Promise<void>((resolve) => {
        answers.push(resolve);
      });
      if (body?.notifications) throw problem(503, 'Failed to update user settings');
      const { notices: _first, ...changed } = body ?? {};
      return { ...Object.assign(kept, changed) };
    });
    shell.sdk.api.on(at.users.getSettings, () => ({ ...kept }));
    const checked = (id: string) => screen.getByTestId(id).getAttribute('aria-checked');
    await user.click(await screen.findByTestId('auto-start'));
    await user.click(screen.getByTestId('notifications'));
    expect([checked('auto-start'), checked('notifications')]).toEqual(['true', 'true']);
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect([checked('auto-start'), checked('notifications')]).toEqual(['true', 'true']);
    answers[1]?.();
    await waitFor(() => expect(checked('notifications')).toBe('false'));
    expect(checked('auto-start')).toBe('true');
  });

  it.each([
    [1, 'false'],
    [2, 'true'],
  ])(
    'of two quick presses on one setting that fail, from press %i on, what the server has stays',
    async (from, stored) => {
      const { shell, user } = show();
      const answers: (() => void)[] = [];
      shell.sdk.api
        .on(at.users.putSettings, async ({ body }) => {
          const press = await new Promise<number>((resolve) => {
            const nth = answers.length + 1;
            answers.push(() => resolve(nth));
          });
          if (press >= from) throw problem(503, 'Failed to update user settings');
          return { ...sampleSettings(), ...body } as ReturnType<typeof sampleSettings>;
        })
        .on(at.users.getSettings, sampleSettings());
      const toggle = await screen.findByTestId('auto-start');
      const checked = () => toggle.getAttribute('aria-checked');
      await user.click(toggle);
      await user.click(toggle);
      expect(checked()).toBe('false');
      // Nothing is read again until the connection is back.
      shell.sdk.api.fail(at.users.getSettings, offline());
      await waitFor(() => expect(answers).toHaveLength(1));
      answers[0]?.();
      await waitFor(() => expect(answers).toHaveLength(2));
      expect(checked()).toBe('false');
      answers[1]?.();
      await waitFor(() => expect(shell.sdk.shown).toHaveLength(3 - from));
      expect(checked()).toBe(stored);
    },
  );

  it('a kind of notice that is refused takes no press on another kind with it', async () => {
    const { shell, user } = show();
    const kept = sampleSettings({ notices: { payment: 'app', epoch: 'app' } });
    const answers: (() => void)[] = [];
    shell.sdk.api.on(at.users.getSettings, kept).on(at.users.putSettings, async ({ body }) => {
      await new Promise<void>((resolve) => void answers.push(resolve));
      if (body?.notices?.payment) throw problem(503, 'Failed to update user settings');
      return { ...kept, notices: { ...kept.notices, epoch: 'off' } };
    });
    const group = (kind: string) => within(screen.getByRole('radiogroup', { name: kind }));
    const chosen = (kind: string) =>
      group(kind).getByRole<HTMLInputElement>('radio', { checked: true }).labels?.[0]?.textContent;
    const shown = () => [chosen('Payment confirmed or refunded'), chosen('Epoch begins')];
    await screen.findByRole('radiogroup', { name: 'Epoch begins' });
    await user.click(group('Payment confirmed or refunded').getByLabelText('Off'));
    await user.click(group('Epoch begins').getByLabelText('Off'));
    expect(shown()).toEqual(['Off', 'Off']);
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(shown()).toEqual(['In app', 'Off']);
    answers[1]?.();
    await waitFor(() => expect(screen.getByTestId('settings-saved').textContent).toBe('All changes saved'));
    expect(shown()).toEqual(['In app', 'Off']);
  });

  it('another session can be ended; this one is only named', async () => {
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

  it('all other sessions are ended by one press; what fails shows it', async () => {
    const { shell, user } = show({}, [HERE, THERE, session('c'.repeat(32), false)]);
    shell.sdk.api.fail(at.auth.endSessions, problem(503, 'down'));
    await user.click(await screen.findByRole('button', { name: 'End all' }));
    await waitFor(() => expect(shell.sdk.shown).toMatchObject([{ title: 'Session not ended', text: 'down' }]));
    expect(shell.sdk.api.callsOf(at.auth.endSession)).toEqual([]);
  });

  it('the three latest devices are named, and all of them by one press', async () => {
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

  it.each([
    ['sessions', at.auth.sessions, [HERE], 'Signed in on this browser'],
    ['settings', at.users.getSettings, sampleSettings(), 'Auto-start'],
  ])('%s that could not be loaded show it, with Retry', async (what, endpoint, answer, shown) => {
    const { shell, user } = show({}, [HERE], (api) => void api.fail(endpoint, problem(503, 'down')));
    await screen.findAllByText(`Your ${what} could not be loaded`);
    shell.sdk.api.on(endpoint, answer as never);
    await user.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
    expect(await screen.findByText(shown)).toBeTruthy();
  });

  it('an export that fails shows it', async () => {
    const { shell, user } = show();
    shell.sdk.api.fail(at.users.export, problem(500, 'down'));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(shell.sdk.shown[0]).toMatchObject({ title: 'Export failed' }));
    shell.sdk.api.on(at.users.export, sampleUser() as never).fail(at.log.proof, problem(500, 'down'));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(shell.sdk.shown).toHaveLength(2));
  });

  it('an export is one file with the proof of the ledger, and without one before the first root', async () => {
    const { shell, user } = show();
    const files: Blob[] = [];
    const [createObjectURL, revokeObjectURL] = [(file: Blob) => `blob:${files.push(file)}`, () => undefined];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL }));
    const names: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { proof } = sampleCheckOf('0'.repeat(32), '2026-11-20', { count: 2 });
    const data = { ...sampleUser(), account_age: 5, multiplier: 3.5, exportDate: AT };
    shell.sdk.api.on(at.users.export, data as never).on(at.log.proof, proof);
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(files).toHaveLength(1));
    shell.sdk.api.fail(at.log.proof, problem(404, 'There is no root yet', 'no-root'));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(files).toHaveLength(2));
    const read = await Promise.all(files.map(async (file) => JSON.parse(await textOf(file))));
    expect(read.map((file) => file.exportDate)).toEqual([AT, AT]);
    expect(read.map((file) => file.proof)).toEqual([proof, null]);
    expect(new Set(names)).toEqual(new Set(['cord-mara.okafor-2026-11-21.json']));
    click.mockRestore();
  });

  it('an export and a deletion with an old sign-in lead to a new one that comes back here', async () => {
    const { shell, user } = show();
    const tooOld = problem(403, 'Please sign in again', SIGN_IN_TOO_OLD);
    shell.sdk.api.fail(at.users.export, tooOld).fail(at.users.remove, tooOld);
    history.replaceState(null, '', '/?tab=settings');
    const back = '/api/auth/discord?back=%3Ftab%3Dsettings';
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const link = await screen.findByRole('link', { name: 'Sign in again' });
    expect(link.getAttribute('href')).toBe(back);
    expect(shell.sdk.shown).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox'), 'mara.okafor');
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    expect((await dialog.findByRole('link', { name: 'Sign in again' })).getAttribute('href')).toBe(back);
    expect(shell.sdk.session.state.get().status).toBe('signed-in');
  });

  it('deleting the account wants the name typed, and then forgets the user', async () => {
    const { shell, user } = show();
    const taken = vi.fn(async (_name: string) => true);
    vi.stubGlobal('caches', { delete: taken });
    shell.sdk.api.on(at.users.remove, undefined);
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('A one-way mark stays, so that one-time rewards cannot be claimed again.')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: /^Delete account/ }));
    expect(shell.sdk.api.callsOf(at.users.remove)).toHaveLength(0);
    await user.type(dialog.getByRole('textbox'), 'mara.okafor');
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    await waitFor(() => expect(shell.sdk.session.state.get().status).toBe('signed-out'));
    expect(shell.sdk.api.callsOf(at.users.remove)[0]?.body).toEqual({ confirm: 'mara.okafor' });
    expect(taken).toHaveBeenCalledExactlyOnceWith('cord-push');
    expect(shell.ended.get()).toBe('erased');
    expect(shell.sdk.sent.map(endOf)).toContain('erased');
  });

  it.each([
    ['its repeat, which is of nobody (401)', 401, 'erased'],
    ['its repeat, which finds no account (404)', 404, 'erased'],
    ['another call, which finds the session ended', 0, 'erased'],
    ['nothing, for the account is there (403)', 403, null],
  ])('a deletion whose answer was lost is done, or is not, by what shows it: %s', async (_by, status, end) => {
    const { shell, user } = show();
    vi.stubGlobal('caches', { delete: async () => true });
    const { api, session, sent } = shell.sdk;
    let tries = 0;
    api.on(at.users.remove, () => {
      tries += 1;
      // A call that finds the session ended signs out, this one or another.
      if (status === 0 || (status === 401 && tries > 1)) session.signOut();
      throw tries === 1 ? offline() : problem(status, 'Sign in first');
    });
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox'), 'mara.okafor');
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    await waitFor(() => expect(tries).toBe(status === 0 ? 1 : 2));
    await waitFor(() => expect(shell.ended.get()).toBe(end));
    expect(sent.map(endOf).includes('erased')).toBe(end === 'erased');
    expect(session.state.get().status).toBe(end === 'erased' ? 'signed-out' : 'signed-in');
  });
});
