// @vitest-environment jsdom
import { ApiError } from '@cord/sdk';
import { at, offline, problem, sampleUser } from '@cord/sdk/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';

beforeEach(() => {
  vi.useFakeTimers();
});

const shellFor = (options: TestShellOptions) => createTestShell({ user: null, ...options });
const NEWCOMER = { isNewUser: true, credited: 870, referralBonus: null, pending: false };

describe('the start of the page, when something fails or comes late', () => {
  it('looks again after a failed look', async () => {
    const { sdk, startup } = shellFor({});
    sdk.api.fail(at.auth.me, offline());
    await startup.checkSignIn();
    sdk.api.on(at.auth.me, { user: sampleUser() });
    const looking = startup.checkSignIn();
    await vi.advanceTimersByTimeAsync(1_000);
    await looking;
    expect(sdk.session.state.get().status).toBe('signed-in');
  });

  it('fails at once if Retry-After is more than 5 s', async () => {
    const { sdk, startup } = shellFor({});
    const busy = new ApiError({ kind: 'http', status: 503, message: 'Busy', retryAfterMs: 5_001 });
    sdk.api.fail(at.auth.me, busy);
    await startup.run();
    expect(startup.state.get()).toEqual({ status: 'failed', error: busy });
    expect(sdk.api.callsOf(at.auth.me)).toHaveLength(1);
  });

  it('closes the modal of a failed sign-in if a session exists', async () => {
    const { sdk, startup, connect } = shellFor({ arrival: { authError: 'denied' } });
    sdk.api.on(at.auth.me, { user: sampleUser() });
    await startup.run();
    expect(connect.state.get()).toEqual({ status: 'closed' });
    expect(sdk.sent.filter(({ kind }) => kind === 'signed-in')).toEqual([]);
  });

  it('updates a pending welcome at most eight times', async () => {
    const { sdk, startup } = shellFor({ arrival: { welcome: 'new' } });
    sdk.api.on(at.auth.me, { user: sampleUser(), welcome: { ...NEWCOMER, pending: true } });
    const running = startup.run();
    await vi.advanceTimersByTimeAsync(600_000);
    await running;
    expect(sdk.api.callsOf(at.auth.me)).toHaveLength(9);
    expect(startup.welcome.get()?.pending).toBe(true);
  });

  it.each([
    ['refuses it', problem(500, 'Internal'), 'database'],
    ['is unreachable', offline(), 'unreachable'],
  ])('shows in the modal after Discord that the server %s', async (_, error, key) => {
    const { sdk, startup, connect } = shellFor({ arrival: { welcome: 'back' } });
    sdk.api.fail(at.auth.me, error);
    await startup.run();
    expect(connect.state.get()).toMatchObject({ status: 'error', key });
    expect(startup.state.get()).toEqual({ status: 'done' });
  });

  it('shows no success when another tab has signed in before the response to a look', async () => {
    const { sdk, startup, connect } = shellFor({});
    const read = sdk.api.hold(at.auth.me);
    const looking = startup.checkSignIn();
    await vi.advanceTimersByTimeAsync(0);
    sdk.api.on(at.auth.me, { user: sampleUser() });
    sdk.receive({ kind: 'signed-in', userId: sampleUser().id });
    await vi.advanceTimersByTimeAsync(0);
    read.answer({ user: sampleUser() });
    await looking;
    expect(sdk.session.state.get().status).toBe('signed-in');
    expect(connect.state.get()).toEqual({ status: 'closed' });
  });

  it('ignores a failed acknowledgement of the welcome', async () => {
    const { sdk, startup } = shellFor({ welcome: NEWCOMER });
    sdk.api.fail(at.auth.acknowledgeWelcome, offline());
    startup.acknowledgeWelcome();
    await vi.advanceTimersByTimeAsync(0);
    expect(startup.welcome.get()).toBeNull();
  });

  it('does not show a welcome again that was acknowledged during its update', async () => {
    const { sdk, startup } = shellFor({ arrival: { welcome: 'new' } });
    sdk.api.on(at.auth.me, { user: sampleUser(), welcome: { ...NEWCOMER, pending: true } });
    const running = startup.run();
    await vi.advanceTimersByTimeAsync(1_000);
    await running;
    const read = sdk.api.hold(at.auth.me);
    await vi.advanceTimersByTimeAsync(1_500);
    startup.acknowledgeWelcome();
    read.answer({ user: sampleUser(), welcome: NEWCOMER });
    await vi.advanceTimersByTimeAsync(0);
    expect(startup.welcome.get()).toBeNull();
  });
});
