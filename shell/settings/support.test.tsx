import { ApiError, createStore, type Store, useStore } from '@cord/sdk';
import { at, problem, sampleUser } from '@cord/sdk/testing';
import { act, cleanup } from '@cord/sdk/testing/render';
import { screen, waitFor, within } from '@testing-library/react';
import { Activity } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { signOut } from '../session/sign-out';
import { renderInShell } from '../testing/render';
import { ANSWERED, createStoryShell, LEVEL_1, WAITING } from '../testing/story-shell';
import type { TestShell, TestShellOptions } from '../testing/test-shell';
import { createAppearance } from '../theme/theme';
import { clearDevice } from './data-management';
import { Settings } from './settings';
import { Support } from './support';

function show(prepare: (shell: TestShell) => void = () => undefined, options: TestShellOptions = {}) {
  const shell = createStoryShell({ live: false, ...options });
  prepare(shell);
  return renderInShell(shell, <Settings />);
}

const LETTER = 'It says day 1 and it should be day 8.';

/** Support in settings that are kept while a view is open over them. */
function Kept({ mode }: { mode: Store<'visible' | 'hidden'> }) {
  return (
    <Activity mode={useStore(mode)}>
      <Support />
    </Activity>
  );
}

describe('support', () => {
  it('shows the user’s requests with their answers and states', async () => {
    show(({ sdk }) => sdk.api.on(at.support.mine, [{ ...WAITING, subject: 'Still waiting' }, ANSWERED]));
    const list = within(await screen.findByRole('region', { name: 'Your requests' }));
    expect(await list.findByText(ANSWERED.answer as string)).toBeTruthy();
    expect(list.getByText('Answered')).toBeTruthy();
    expect(list.getByText('Still waiting').closest('li')?.textContent).toContain('Waiting');
  });

  it('sends subject and text with an idempotency key, and shows the request at once', async () => {
    const { shell, user } = show(({ sdk }) => sdk.api.on(at.support.mine, []));
    await screen.findByText('You have not sent us anything yet.');
    shell.sdk.api.on(at.support.file, ({ body }) => {
      const filed = { ...WAITING, ...body };
      shell.sdk.api.on(at.support.mine, [filed]);
      return filed;
    });
    await user.type(screen.getByLabelText('Subject'), ' My streak ');
    await user.type(screen.getByLabelText('What is it about?'), `${LETTER} `);
    expect(screen.getByText(/characters? left/).textContent).toContain(
      `${4_000 - LETTER.length - 1}`.replace(/(?=...$)/, ','),
    );
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(shell.sdk.shown[0]).toMatchObject({ title: 'Request sent', durationMs: 4_000 }));
    const [call] = shell.sdk.api.callsOf(at.support.file);
    expect(call?.body).toEqual({ kind: 'support', subject: 'My streak', text: LETTER });
    expect(call?.idempotencyKey).toBeTruthy();
    expect(screen.getByText(LETTER)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('');
    expect(document.activeElement?.textContent).toContain('My streak');
    // An empty field shows no length error yet.
    expect(screen.queryByText(/^At least/)).toBeNull();
  });

  it('focuses a new request once, not again when a view over the settings closes', async () => {
    const mode = createStore<'visible' | 'hidden'>('visible');
    const shell = createStoryShell({ live: false });
    shell.sdk.api.on(at.support.mine, []);
    const { user } = renderInShell(shell, <Kept mode={mode} />);
    await screen.findByText('You have not sent us anything yet.');
    const filed: (typeof WAITING)[] = [];
    const send = async (id: string, subject: string) => {
      shell.sdk.api
        .on(at.support.mine, () => [...filed])
        .on(at.support.file, ({ body }) => {
          const request = { ...WAITING, ...body, id };
          filed.unshift(request);
          return request;
        });
      await user.type(screen.getByLabelText('Subject'), subject);
      await user.type(screen.getByLabelText('What is it about?'), LETTER);
      await user.click(screen.getByRole('button', { name: 'Send' }));
      const request = (await screen.findByText(subject)).closest('li');
      await waitFor(() => expect(document.activeElement).toBe(request));
      return request as HTMLElement;
    };
    const onFocus = vi.fn();
    (await send('1'.repeat(32), 'My streak')).addEventListener('focus', onFocus);
    act(() => screen.getByLabelText('Subject').focus());
    act(() => mode.set('hidden'));
    act(() => mode.set('visible'));
    expect(onFocus).not.toHaveBeenCalled();
    await send('2'.repeat(32), 'My balance');
  });

  it('keeps a draft over a change of tab and a reload, until sign-out', async () => {
    const { shell, user } = show();
    const box = () => screen.getByLabelText<HTMLInputElement>('What is it about?');
    await user.type(box(), LETTER);
    cleanup();
    show();
    expect(box().value).toBe(LETTER);
    shell.sdk.api.on(at.auth.logout, undefined);
    await signOut(shell.sdk);
    cleanup();
    show();
    expect(box().value).toBe('');
  });

  it('keeps a draft for its own user only', async () => {
    const { user } = show();
    await user.type(screen.getByLabelText('Subject'), 'My streak');
    cleanup();
    show(({ sdk }) => sdk.session.signIn(sampleUser({ id: 'f'.repeat(32) })));
    expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('');
  });

  it('requires enough text before sending', async () => {
    const { shell, user } = show();
    await user.type(screen.getByLabelText('Subject'), 'Hi');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(screen.getByText('At least 3 characters.')).toBeTruthy();
    expect(screen.getByText('At least 10 characters.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Subject'));
    expect(shell.sdk.api.callsOf(at.support.file)).toHaveLength(0);
  });

  it('keeps the typed text when the server refuses it, with its errors', async () => {
    const { shell, user } = show();
    const refusal = new ApiError({
      kind: 'http',
      status: 422,
      message: 'Please wait for an answer to your other requests first.',
      fields: [{ path: 'body.text', message: 'is too wild' }],
    });
    shell.sdk.api.fail(at.support.file, refusal);
    await user.type(screen.getByLabelText('Subject'), 'My streak');
    await user.type(screen.getByLabelText('What is it about?'), LETTER);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Please wait for an answer to your other requests first.')).toBeTruthy();
    expect(screen.getByText('is too wild')).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>('What is it about?').value).toBe(LETTER);
  });

  it('shows only badge holders that they are answered first', async () => {
    show(undefined, { user: sampleUser({ hasbadgeofhonor: true }) });
    expect(screen.getByText('You have the Badge of Honor, so your requests are answered first.')).toBeTruthy();
    cleanup();
    show();
    expect(screen.queryByText('Priority support')).toBeNull();
  });

  it('offers Retry when requests do not load, and keeps the form', async () => {
    show(({ sdk }) => sdk.api.fail(at.support.mine, problem(503, 'down')));
    expect(await screen.findByText('Your requests could not be loaded')).toBeTruthy();
    expect(screen.getByLabelText('Subject')).toBeTruthy();
  });
});

describe('the network check', () => {
  it('shows that no other account was found, and when it was checked', async () => {
    show();
    expect(
      await screen.findByText(/^No other account mined from your network address .* Checked 21 Nov 2026, \d\d:03\.$/),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Appeal' })).toBeNull();
  });

  it('offers an appeal from level 1 on, and sends it', async () => {
    const { shell, user } = show(({ sdk }) => sdk.api.on(at.support.anticheat, LEVEL_1));
    await user.click(await screen.findByRole('button', { name: 'Appeal' }));
    expect(screen.getByText((text) => text.startsWith(`${LEVEL_1.warningMessage} Checked`))).toBeTruthy();
    const dialog = within(await screen.findByRole('dialog', { name: 'Appeal the network check' }));
    await user.type(dialog.getByLabelText('What is it about?'), 'We are a family of three.');
    await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
    await waitFor(() => expect(shell.sdk.shown[0]).toMatchObject({ title: 'Appeal sent' }));
    expect(shell.sdk.api.callsOf(at.support.file)[0]?.body).toEqual({
      kind: 'appeal',
      subject: 'Appeal: my network is shared',
      text: 'We are a family of three.',
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('offers no second appeal while one is waiting', async () => {
    show(({ sdk }) => sdk.api.on(at.support.anticheat, LEVEL_1).on(at.support.mine, [{ ...WAITING, kind: 'appeal' }]));
    expect(await screen.findByText('Appeal waiting')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Appeal' })).toBeNull();
  });
});

describe('data management', () => {
  it('shows what is stored and for how long', () => {
    show();
    const held = screen.getByRole('region', { name: 'What we hold' }).textContent;
    expect(held).toContain('Network record: a keyed hash of your address30 days');
    expect(held).toContain('Ledger entriespermanently; after a deletion, under a random ID and without your name');
    expect(held).toContain('Sign-in sessions7 days each, and 30 more days once they have ended');
    expect(held).toContain('Node sessions, check-ins, tasks and friendsuntil you delete your account');
    expect(held).toContain('Notifications30 days');
    expect(held).toContain('Browsers that get push notificationsuntil you remove them, or their sign-in ends');
  });

  it('shows the last sessions and check-ins', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('button', { name: 'View' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'History' }));
    const sessions = await dialog.findByRole('region', { name: 'Mining sessions' });
    expect(sessions.textContent).toContain('03:42:17, efficiency 98%');
    expect(sessions.textContent).toContain(', runs');
    expect(dialog.getByRole('region', { name: 'Check-ins' }).textContent).toContain('Day 4 of the streak+70.00');
  });

  it('clears this device, and the user stays signed in', async () => {
    localStorage.setItem('cord.canary-lot', '0.3');
    const { shell, user } = show((made) => {
      made.appearance = createAppearance(document, localStorage);
    });
    const { id } = sampleUser();
    shell.appearance.follow(id, 'dark');
    shell.appearance.setTheme('light');
    await user.click(screen.getByRole('button', { name: 'Clear this device' }));
    await waitFor(() => expect(shell.sdk.shown[0]).toMatchObject({ title: 'This device is cleared' }));
    expect(Object.keys(localStorage)).toEqual(['cord.theme-of-account']);
    // The account's theme was applied before, so reading the record again does not restore it.
    shell.appearance.follow(id, 'dark');
    expect(shell.appearance.theme.get()).toBe('system');
    expect(shell.sdk.session.state.get().status).toBe('signed-in');
  });

  it('keeps a pending payment when clearing, but not the offline page and its worker', async () => {
    for (const key of ['cord.payment', 'cord.payment.lost', 'cord.theme']) localStorage.setItem(key, 'kept');
    const unregister = vi.fn(async () => true);
    const remove = vi.fn(async () => true);
    await clearDevice({
      storages: [localStorage, sessionStorage],
      caches: { keys: async () => ['cord-offline-1'], delete: remove } as never,
      serviceWorker: { getRegistrations: async () => [{ unregister }] } as never,
    });
    expect(Object.keys(localStorage).sort()).toEqual(['cord.payment', 'cord.payment.lost']);
    expect(remove).toHaveBeenCalledWith('cord-offline-1');
    expect(unregister).toHaveBeenCalledOnce();
  });

  it('keeps the worker, its offline page and owner in a browser with push', async () => {
    const unregister = vi.fn(async () => true);
    const remove = vi.fn(async () => true);
    const pushManager = { getSubscription: async () => ({ endpoint: 'https://push.example/me' }) };
    await clearDevice({
      storages: [],
      caches: { keys: async () => ['cord-offline-1', 'cord-push', 'other'], delete: remove } as never,
      serviceWorker: { getRegistrations: async () => [{ unregister, pushManager }] } as never,
    });
    expect(remove.mock.calls).toEqual([['other']]);
    expect(unregister).not.toHaveBeenCalled();
  });
});
