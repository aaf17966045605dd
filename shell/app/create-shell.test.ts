// @vitest-environment jsdom

import { deviceStorage } from '@cord/sdk';
import { at, sampleUser } from '@cord/sdk/testing';
import { toasts } from '@cord/ui';
import { browserOf } from '@cord/ui/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { signOut } from '../session/sign-out';
import { expectNoSession, expectsSession } from './bundles';
import { createShell } from './create-shell';

beforeEach(() => browserOf({ widthPx: 1440 }));

it('removes all toasts at sign-out and at each change of the user', () => {
  const { session } = createShell().sdk;
  const shown = () => toasts.read().map(({ title }) => title);
  const [one, next] = [sampleUser(), sampleUser({ id: 'f'.repeat(32) })];
  session.signIn(one);
  toasts.show({ kind: 'success', title: 'Claimed' });
  session.merge({ id: one.id, theme: 'dark' });
  expect(shown()).toEqual(['Claimed']);
  session.signOut();
  expect(shown()).toEqual([]);
  // A toast of work that was pending at sign-out.
  toasts.show({ kind: 'error', title: 'Not claimed' });
  session.signIn(next);
  expect(shown()).toEqual([]);
  toasts.show({ kind: 'success', title: 'Claimed' });
  session.signIn(one);
  expect(shown()).toEqual([]);
});

describe('the end of a session in another tab', () => {
  const { id } = sampleUser();
  const other = () => {
    const channel = new BroadcastChannel('cord');
    onTestFinished(() => channel.close());
    return (message: object) => channel.postMessage({ v: 2, message: { userId: id, ...message } });
  };
  const known = (data: unknown) => ({ kind: 'known', queryKey: ['account'], data });
  const signedOut = { kind: 'signed-out' };

  it.each([
    ['erased', [known('erased'), signedOut]],
    ['erased', [signedOut, known('erased')]],
    [{ unconfirmed: 'down' }, [known({ unconfirmed: 'down' }), signedOut]],
    ['signed-out', [signedOut]],
  ])('is shown with the same reason here: %j', async (end, messages) => {
    const { sdk, ended } = createShell();
    const send = other();
    sdk.session.signIn(sampleUser());
    for (const message of messages) send(message);
    await expect.poll(() => ended.get()).toEqual(end);
    // It belongs to that session: the next session of the same person ends in its own way.
    sdk.session.signIn(sampleUser());
    expect(ended.get()).toBeNull();
    sdk.session.signOut();
    expect(ended.get()).toBe('signed-out');
  });
});

it('offers the sign-in again to a user who comes back from Discord with Back', () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const { connect } = createShell();
  void connect.start();
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
  expect(connect.state.get().status).toBe('redirecting');
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(connect.state.get().status).toBe('idle');
  vi.unstubAllGlobals();
});

describe('a call that the server refuses', () => {
  const answers = (status: number, type: string) =>
    vi.stubGlobal('fetch', async () => Response.json({ type, error: 'No' }, { status }));
  /** Each has a user of its own: the shells of a file share one channel between tabs. */
  const signedIn = (letter: string) => {
    const shell = createShell();
    shell.sdk.session.signIn(sampleUser({ id: letter.repeat(32) }));
    return shell;
  };
  afterEach(() => vi.unstubAllGlobals());

  it('with 401 offers the sign-in, unless the user is signing out', async () => {
    answers(401, 'unauthorised');
    const leaving = signedIn('a');
    await signOut(leaving.sdk);
    expect(leaving.connect.state.get()).toEqual({ status: 'closed' });
    const { sdk, connect } = signedIn('b');
    await sdk.api.call(at.auth.sessions).catch(() => undefined);
    expect(sdk.session.state.get().status).toBe('signed-out');
    expect(connect.state.get().status).toBe('idle');
  });

  it('because another user has signed in deletes the data of this one', async () => {
    answers(403, 'not-yours');
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { sdk } = signedIn('c');
    deviceStorage.setItem('cord.last-seen', 'seen');
    await sdk.api.call(at.auth.sessions).catch(() => undefined);
    expect(deviceStorage.getItem('cord.last-seen')).toBeNull();
  });
});

it('expects no session at the next start after a session has ended', () => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the sign-in has set it
  document.cookie = 'cord-signed-in=1';
  const { sdk } = createShell();
  sdk.session.signIn(sampleUser({ id: 'd'.repeat(32) }));
  expect(expectsSession()).toBe(true);
  sdk.session.signOut();
  expect(expectsSession()).toBe(false);
});

describe('the way back from Discord', () => {
  const startWith = async (answer: () => Promise<Response>, address = '/?welcome=back') => {
    history.replaceState(null, '', address);
    // biome-ignore lint/suspicious/noDocumentCookie: as the sign-in has set it
    document.cookie = 'cord-signed-in=1';
    vi.stubGlobal('fetch', answer);
    const { startup, connect, referral } = createShell();
    referral.keep('K7M2QX9D');
    await startup.run();
    return { state: connect.state.get(), code: referral.get() };
  };
  afterEach(() => {
    vi.unstubAllGlobals();
    expectNoSession();
  });

  it('keeps the expected session when the response is lost, so that a reload finds it', async () => {
    const { state } = await startWith(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(state).toMatchObject({ status: 'error', key: 'unreachable' });
    expect(expectsSession()).toBe(true);
  });

  it('expects no session after a 401', async () => {
    const { state } = await startWith(async () => new Response('{}', { status: 401 }));
    expect(state).toMatchObject({ status: 'error', key: 'unauthorized' });
    expect(expectsSession()).toBe(false);
  });

  it('deletes the friend’s code once the session is read; an ordinary start keeps it', async () => {
    const signedIn = async () => Response.json({ user: sampleUser() });
    expect((await startWith(signedIn, '/')).code).toBe('K7M2QX9D');
    expect((await startWith(signedIn)).code).toBeNull();
  });
});
