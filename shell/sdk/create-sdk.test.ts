// @vitest-environment jsdom
import { onlineManager } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createSdk } from './create-sdk';
import { formatLocale, setLocale } from './i18n';
import { createStore } from './store';
import { at, createTestSdk, sampleUser } from './testing';

function setUp(answer: () => Response | Promise<Response>) {
  const [onSessionLost, onSessionOfAnother, onNoSession] = [vi.fn(), vi.fn(), vi.fn()];
  const nothing = () => null;
  const sdk = createSdk({
    tabs: createTestSdk().tabs,
    toasts: { show: () => undefined },
    ledger: { open: () => undefined, Entries: nothing },
    running: { versions: { shell: 'abc', sdk: '1.2.0' }, modules: createStore(new Map()) },
    fetch: async () => answer(),
    onNoSession,
    onSessionLost,
    onSessionOfAnother,
  });
  return { sdk, onNoSession, onSessionLost, onSessionOfAnother };
}

const unauthorised = () => new Response('{"error":"Sign in first"}', { status: 401 });

test('a session that ended elsewhere is reported once, however many calls follow', async () => {
  const { sdk, onSessionLost } = setUp(unauthorised);
  sdk.session.signIn(sampleUser());
  await sdk.api.call(at.auth.sessions).catch(() => undefined);
  await sdk.api.call(at.auth.sessions).catch(() => undefined);
  expect(sdk.session.state.get().status).toBe('signed-out');
  expect(onSessionLost).toHaveBeenCalledTimes(1);
});

test('a late 401 of the previous user does not sign out the next one', async () => {
  let arrive: (answer: Response) => void = () => undefined;
  const answer = new Promise<Response>((resolve) => {
    arrive = resolve;
  });
  const sent = vi.fn(() => answer);
  const { sdk, onSessionLost } = setUp(sent);
  const next = sampleUser({ id: 'f'.repeat(32) });
  sdk.session.signIn(sampleUser());
  const late = sdk.api.call(at.auth.sessions).catch(() => undefined);
  await expect.poll(() => sent).toHaveBeenCalled();
  sdk.session.signIn(next);
  arrive(unauthorised());
  await late;
  expect(sdk.session.state.get()).toMatchObject({ status: 'signed-in', user: { id: next.id } });
  expect(onSessionLost).not.toHaveBeenCalled();
});

test('a 403 of type not-yours reports once that another user is signed in', async () => {
  const notYours = () => new Response('{"type":"not-yours","error":"This belongs to another user"}', { status: 403 });
  const { sdk, onSessionOfAnother } = setUp(notYours);
  sdk.session.signIn(sampleUser());
  await sdk.api.call(at.auth.sessions).catch(() => undefined);
  expect(onSessionOfAnother).toHaveBeenCalledTimes(1);
});

test('a late 403 of the user before changes nothing for the next', async () => {
  let arrive: (answer: Response) => void = () => undefined;
  const sent = vi.fn(() => new Promise<Response>((resolve) => (arrive = resolve)));
  const { sdk, onSessionOfAnother } = setUp(sent);
  sdk.session.signIn(sampleUser());
  const late = sdk.api.call(at.auth.sessions).catch(() => undefined);
  await expect.poll(() => sent).toHaveBeenCalled();
  sdk.session.signIn(sampleUser({ id: 'f'.repeat(32) }));
  arrive(new Response('{"type":"not-yours","error":"This belongs to another user"}', { status: 403 }));
  await late;
  expect(onSessionOfAnother).not.toHaveBeenCalled();
});

test('queries wait while the server is unreachable', async () => {
  const { sdk } = setUp(() => {
    throw new TypeError('Failed to fetch');
  });
  await sdk.api.call(at.auth.me).catch(() => undefined);
  await expect.poll(() => onlineManager.isOnline()).toBe(false);
  sdk.connection.reached();
  expect(onlineManager.isOnline()).toBe(true);
});

test('the query cache is emptied when the user changes, by a 401 or by another sign-in', async () => {
  const { sdk } = setUp(unauthorised);
  sdk.session.signIn(sampleUser());
  sdk.queries.setQueryData(['support', 'mine'], ['a letter']);
  await sdk.api.call(at.auth.sessions).catch(() => undefined);
  expect(sdk.queries.getQueryData(['support', 'mine'])).toBeUndefined();
  sdk.session.signIn(sampleUser());
  sdk.queries.setQueryData(['support', 'mine'], ['a letter']);
  sdk.session.signIn(sampleUser({ id: 'f'.repeat(32) }));
  expect(sdk.queries.getQueryData(['support', 'mine'])).toBeUndefined();
});

test('a 401 at the start of the page, with nobody signed in, is not reported as a lost session', async () => {
  const { sdk, onNoSession, onSessionLost } = setUp(unauthorised);
  await sdk.api.call(at.auth.me).catch(() => undefined);
  expect(onNoSession).toHaveBeenCalledOnce();
  expect(onSessionLost).not.toHaveBeenCalled();
});

test('a server is lost once a call and a probe have no response', async () => {
  const { sdk } = setUp(() => {
    throw new TypeError('Failed to fetch');
  });
  await sdk.api.call(at.auth.me).catch(() => undefined);
  await vi.waitFor(() => expect(sdk.connection.lostAtMs.get()).not.toBeNull(), 15_000);
});

test('numbers and dates follow the locale of the signed-in user', () => {
  const { sdk } = setUp(unauthorised);
  sdk.session.signIn(sampleUser({ locale: 'en-IN' }));
  expect(formatLocale.get()).toBe('en-IN');
  setLocale(null);
});
