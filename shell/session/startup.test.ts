// @vitest-environment jsdom
import { ApiError, type WritableStore } from '@cord/sdk';
import { at, offline, problem, sampleUser } from '@cord/sdk/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';

beforeEach(() => {
  vi.useFakeTimers();
});

const shellFor = (options: TestShellOptions) => createTestShell({ user: null, ...options });
const NEWCOMER = { isNewUser: true, credited: 870, referralBonus: null, pending: false };

describe('the start of the page', () => {
  it('opens the app at once for an existing session', async () => {
    const { sdk, startup } = shellFor({});
    sdk.api.on(at.auth.me, { user: sampleUser() });
    await startup.run();
    expect(sdk.session.state.get()).toMatchObject({ status: 'signed-in', user: { username: 'mara.okafor' } });
    expect(startup.welcome.get()).toBeNull();
    expect(sdk.session.takeFreshSignIn('mining')).toBe(false);
  });

  it('makes no request on a device without a session', async () => {
    const { sdk, startup } = shellFor({ newDevice: true });
    await startup.run();
    await startup.checkSignIn();
    expect(startup.state.get()).toEqual({ status: 'done' });
    expect(sdk.session.state.get().status).toBe('signed-out');
    expect(sdk.api.callsOf(at.auth.me)).toEqual([]);
  });

  it('finds a sign-in of another tab, with one request for simultaneous looks', async () => {
    const { sdk, startup } = shellFor({});
    sdk.api.on(at.auth.me, { user: sampleUser() });
    const looks = Promise.all([startup.checkSignIn(), startup.checkSignIn()]);
    await vi.advanceTimersByTimeAsync(1_000);
    await looks;
    expect(sdk.api.callsOf(at.auth.me)).toHaveLength(1);
    expect(sdk.session.state.get().status).toBe('signed-in');
  });

  it('shows the landing page when nobody is signed in', async () => {
    const { sdk, startup, connect } = shellFor({});
    sdk.api.fail(at.auth.me, problem(401, 'Sign in first'));
    await startup.run();
    expect(startup.state.get()).toEqual({ status: 'done' });
    expect(connect.state.get()).toEqual({ status: 'closed' });
  });

  it('fails when the server is unreachable, and can be retried', async () => {
    const { sdk, startup } = shellFor({});
    sdk.api.fail(at.auth.me, offline());
    await startup.run();
    expect(startup.state.get().status).toBe('failed');
    sdk.api.on(at.auth.me, { user: sampleUser() });
    const again = startup.run();
    expect(startup.state.get().status).toBe('starting');
    await again;
    expect(startup.state.get().status).toBe('done');
    expect(sdk.session.state.get().status).toBe('signed-in');
  });

  it('is retried after Retry-After while the server starts, at most twice', async () => {
    const { sdk, startup } = shellFor({});
    const starting = new ApiError({
      kind: 'http',
      status: 503,
      message: 'Sign-in cannot be checked',
      retryAfterMs: 2_000,
    });
    sdk.api.fail(at.auth.me, starting);
    const running = startup.run();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(startup.state.get().status).toBe('starting');
    sdk.api.on(at.auth.me, { user: sampleUser() });
    await vi.advanceTimersByTimeAsync(1);
    await running;
    expect(sdk.session.state.get().status).toBe('signed-in');
    sdk.session.signOut();
    sdk.api.fail(at.auth.me, starting);
    const failing = startup.run();
    await vi.advanceTimersByTimeAsync(4_000);
    await failing;
    expect(startup.state.get()).toEqual({ status: 'failed', error: starting });
    expect(sdk.api.callsOf(at.auth.me)).toHaveLength(5);
  });

  it('shows success for a second after Discord, then the app with its welcome, on a new device too', async () => {
    const { sdk, startup, connect } = shellFor({ arrival: { welcome: 'new' }, newDevice: true });
    sdk.api.on(at.auth.me, { user: sampleUser(), welcome: NEWCOMER });
    const running = startup.run();
    expect(connect.state.get().status).toBe('processing');
    await vi.advanceTimersByTimeAsync(0);
    expect(connect.state.get().status).toBe('success');
    expect(sdk.session.state.get().status).toBe('signed-out');
    await vi.advanceTimersByTimeAsync(1_000);
    await running;
    expect(sdk.session.state.get().status).toBe('signed-in');
    expect(startup.welcome.get()).toEqual(NEWCOMER);
    expect(sdk.session.takeFreshSignIn('mining')).toBe(true);
    expect(sdk.session.takeFreshSignIn('mining')).toBe(false);
  });

  it('updates a pending welcome once it is credited', async () => {
    const { sdk, startup } = shellFor({ arrival: { welcome: 'new' } });
    sdk.api.on(at.auth.me, { user: sampleUser(), welcome: { ...NEWCOMER, pending: true } });
    const running = startup.run();
    await vi.advanceTimersByTimeAsync(1_000);
    await running;
    expect(startup.welcome.get()?.pending).toBe(true);
    sdk.api.on(at.auth.me, { user: sampleUser(), welcome: { ...NEWCOMER, referralBonus: 87 } });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(startup.welcome.get()).toEqual({ ...NEWCOMER, referralBonus: 87 });
    const callsBefore = sdk.api.callsOf(at.auth.me).length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sdk.api.callsOf(at.auth.me)).toHaveLength(callsBefore);
  });

  it('shows an error in the modal after Discord without a session (cookies blocked)', async () => {
    const { sdk, startup, connect } = shellFor({ arrival: { welcome: 'back' } });
    sdk.api.fail(at.auth.me, problem(401, 'Sign in first'));
    await startup.run();
    expect(connect.state.get()).toMatchObject({ status: 'error', key: 'unauthorized' });
    expect(startup.state.get()).toEqual({ status: 'done' });
  });

  it('rejects a sign-in without a user id', async () => {
    const { sdk, startup, connect } = shellFor({ arrival: { welcome: 'new' } });
    sdk.api.on(at.auth.me, { user: sampleUser({ id: '' }) });
    await startup.run();
    expect(connect.state.get()).toMatchObject({ key: 'invalid_user' });
    expect(sdk.session.state.get().status).toBe('signed-out');
  });

  it('opens the modal with the reason of a failed sign-in, in Discord’s own text', async () => {
    const { sdk, startup, connect } = shellFor({ arrival: { authError: 'denied' }, errorDescription: 'No thanks' });
    sdk.api.fail(at.auth.me, problem(401, 'Sign in first'));
    await startup.run();
    expect(connect.state.get()).toEqual({ status: 'error', key: 'denied', description: 'No thanks' });
  });

  it('announces a sign-in to the other tabs, which follow it without a welcome or an automatic start', async () => {
    const here = shellFor({ arrival: { welcome: 'back' } });
    here.sdk.api.on(at.auth.me, { user: sampleUser(), welcome: NEWCOMER });
    const running = here.startup.run();
    await vi.advanceTimersByTimeAsync(1_000);
    await running;
    const signedIn = here.sdk.sent.filter(({ kind }) => kind === 'signed-in');
    expect(signedIn).toEqual([{ kind: 'signed-in', userId: sampleUser().id }]);

    const there = shellFor({});
    there.connect.open();
    there.sdk.api.on(at.auth.me, { user: sampleUser(), welcome: NEWCOMER });
    for (const message of signedIn) there.sdk.receive(message);
    await vi.advanceTimersByTimeAsync(0);
    expect(there.sdk.session.state.get().status).toBe('signed-in');
    expect(there.startup.welcome.get()).toBeNull();
    expect(there.connect.state.get()).toEqual({ status: 'closed' });
    expect(there.sdk.session.takeFreshSignIn('mining')).toBe(false);
  });

  it('changes the tab of another user to the one who has signed in, and deletes the previous user’s data', async () => {
    const { sdk } = shellFor({ user: sampleUser({ id: 'f'.repeat(32) }) });
    sdk.queries.setQueryData(['support', 'mine', 'f'.repeat(32)], ['a letter']);
    sdk.api.on(at.auth.me, { user: sampleUser() });
    sdk.receive({ kind: 'signed-in', userId: sampleUser().id });
    await vi.advanceTimersByTimeAsync(0);
    expect(sdk.session.state.get().user?.id).toBe(sampleUser().id);
    expect(sdk.queries.getQueryData(['support', 'mine', 'f'.repeat(32)])).toBeUndefined();
  });

  it.each([
    ['a later sign-in', { kind: 'signed-in', userId: 'c'.repeat(32) }, 'c'.repeat(32)],
    ['the sign-out', { kind: 'signed-out', userId: 'b'.repeat(32) }, 'f'.repeat(32)],
  ] as const)('ignores a sign-in of another tab if its response comes after %s', async (_, later, is) => {
    const { sdk } = shellFor({ user: sampleUser({ id: 'f'.repeat(32) }) });
    let answerLate = () => {};
    sdk.api.on(at.auth.me, async () => {
      await new Promise<void>((resolve) => (answerLate = resolve));
      return { user: sampleUser({ id: 'b'.repeat(32) }) };
    });
    sdk.receive({ kind: 'signed-in', userId: 'b'.repeat(32) });
    await vi.advanceTimersByTimeAsync(0);
    const answerFirst = answerLate;
    sdk.api.on(at.auth.me, { user: sampleUser({ id: 'c'.repeat(32) }) });
    sdk.receive(later);
    await vi.advanceTimersByTimeAsync(0);
    expect(sdk.session.state.get().user?.id).toBe(is);
    answerFirst();
    await vi.advanceTimersByTimeAsync(0);
    expect(sdk.session.state.get().user?.id).toBe(is);
  });

  it.each([
    ['somebody else', () => ({ user: sampleUser({ id: 'f'.repeat(32) }) })],
    [
      'nobody',
      () => {
        throw problem(401, 'Sign in first');
      },
    ],
  ])('that reads %s still follows a sign-in that another tab has made meanwhile', async (_, before) => {
    const { sdk, startup } = shellFor({});
    // Initial state of a page.
    (sdk.session.state as WritableStore<ReturnType<typeof sdk.session.state.get>>).set({
      status: 'loading',
      user: null,
    });
    let answerLate = () => {};
    sdk.api.on(at.auth.me, async () => {
      await new Promise<void>((resolve) => (answerLate = resolve));
      return before();
    });
    const running = startup.run();
    await vi.advanceTimersByTimeAsync(0);
    sdk.api.on(at.auth.me, { user: sampleUser() });
    sdk.receive({ kind: 'signed-in', userId: sampleUser().id });
    await vi.advanceTimersByTimeAsync(0);
    answerLate();
    await running;
    await vi.advanceTimersByTimeAsync(0);
    expect(sdk.session.state.get().user?.id).toBe(sampleUser().id);
  });

  it('does not undo a later sign-in of another tab while it shows success', async () => {
    const { sdk, startup } = shellFor({});
    sdk.api.on(at.auth.me, { user: sampleUser({ id: 'f'.repeat(32) }) });
    const looking = startup.checkSignIn();
    await vi.advanceTimersByTimeAsync(0);
    sdk.api.on(at.auth.me, { user: sampleUser() });
    sdk.receive({ kind: 'signed-in', userId: sampleUser().id });
    await vi.advanceTimersByTimeAsync(1_000);
    await looking;
    expect(sdk.session.state.get().user?.id).toBe(sampleUser().id);
  });

  it('does not replace a pending welcome with that of another user who signs in in another tab', async () => {
    const { sdk, startup } = shellFor({ arrival: { welcome: 'new' } });
    sdk.api.on(at.auth.me, { user: sampleUser(), welcome: { ...NEWCOMER, pending: true } });
    const running = startup.run();
    await vi.advanceTimersByTimeAsync(1_000);
    await running;
    sdk.api.on(at.auth.me, { user: sampleUser({ id: 'f'.repeat(32) }), welcome: NEWCOMER });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sdk.session.state.get().user?.id).toBe(sampleUser().id);
    expect(startup.welcome.get()).toEqual({ ...NEWCOMER, pending: true });
    sdk.receive({ kind: 'signed-in', userId: 'f'.repeat(32) });
    await vi.advanceTimersByTimeAsync(0);
    expect(sdk.session.state.get().user?.id).toBe('f'.repeat(32));
    expect(startup.welcome.get()).toBeNull();
  });

  it('removes the welcome at sign-out, and at a change to another user', async () => {
    const user = sampleUser({ id: 'f'.repeat(32) });
    const signedOut = shellFor({ user, welcome: NEWCOMER });
    signedOut.sdk.session.merge({ id: user.id, theme: 'dark' });
    expect(signedOut.startup.welcome.get()).toEqual(NEWCOMER);
    signedOut.sdk.receive({ kind: 'signed-out', userId: user.id });
    expect(signedOut.startup.welcome.get()).toBeNull();

    const changed = shellFor({ user, welcome: NEWCOMER });
    changed.sdk.api.on(at.auth.me, { user: sampleUser(), welcome: NEWCOMER });
    changed.sdk.receive({ kind: 'signed-in', userId: sampleUser().id });
    await vi.advanceTimersByTimeAsync(0);
    expect(changed.sdk.session.state.get().user?.id).toBe(sampleUser().id);
    expect(changed.startup.welcome.get()).toBeNull();
  });

  it('keeps a user signed out who leaves while the welcome is pending', async () => {
    const { sdk, startup } = shellFor({ arrival: { welcome: 'new' } });
    const pending = { user: sampleUser(), welcome: { ...NEWCOMER, pending: true } };
    sdk.api.on(at.auth.me, pending);
    const running = startup.run();
    await vi.advanceTimersByTimeAsync(1_000);
    await running;
    sdk.api.on(at.auth.me, () => {
      sdk.session.signOut();
      return pending;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sdk.session.state.get().status).toBe('signed-out');
    expect(startup.welcome.get()).toBeNull();
  });

  it('removes an acknowledged welcome here and on the server, with one call', async () => {
    const { sdk, startup } = shellFor({ welcome: NEWCOMER });
    sdk.api.on(at.auth.acknowledgeWelcome, undefined);
    startup.acknowledgeWelcome();
    startup.acknowledgeWelcome();
    expect(startup.welcome.get()).toBeNull();
    expect(sdk.api.callsOf(at.auth.acknowledgeWelcome)).toHaveLength(1);
  });
});
