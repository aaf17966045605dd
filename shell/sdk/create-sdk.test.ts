// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { createSdk } from './create-sdk';
import { createStore } from './store';
import { at, createTestSdk, sampleUser } from './testing';

function setUp(answer: () => Response | Promise<Response>) {
  const [onSessionLost, onSessionOfAnother] = [vi.fn(), vi.fn()];
  const nothing = () => null;
  const sdk = createSdk({
    tabs: createTestSdk().tabs,
    toasts: { show: () => undefined },
    ledger: { open: () => undefined, Entries: nothing },
    running: { versions: { shell: 'abc', sdk: '1.2.0' }, modules: createStore(new Map()) },
    fetch: async () => answer(),
    onSessionLost,
    onSessionOfAnother,
  });
  return { sdk, onSessionLost, onSessionOfAnother };
}

const unauthorised = () => new Response('{"error":"Sign in first"}', { status: 401 });

test('a sign-in that ended elsewhere is reported once, whatever is requested afterwards', async () => {
  const { sdk, onSessionLost } = setUp(unauthorised);
  sdk.session.signIn(sampleUser());
  await sdk.api.call(at.auth.sessions).catch(() => undefined);
  await sdk.api.call(at.auth.sessions).catch(() => undefined);
  expect(sdk.session.state.get().status).toBe('signed-out');
  expect(onSessionLost).toHaveBeenCalledTimes(1);
});

test('a late 401 of the user before signs out nobody else', async () => {
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

test('a page that comes back, as by Back, while another user is signed in by now shows nothing more of its own', async () => {
  const notYours = () => new Response('{"type":"not-yours","error":"This belongs to another user"}', { status: 403 });
  const { sdk, onSessionOfAnother } = setUp(notYours);
  sdk.session.signIn(sampleUser());
  await sdk.api.call(at.auth.sessions).catch(() => undefined);
  expect(onSessionOfAnother).toHaveBeenCalledTimes(1);
});

test('what was read for a user is forgotten with them, however they left', async () => {
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

test('nobody being signed in at the start of the page is no loss', async () => {
  const { sdk, onSessionLost } = setUp(unauthorised);
  await sdk.api.call(at.auth.me).catch(() => undefined);
  expect(onSessionLost).not.toHaveBeenCalled();
});

test('a server that answers nothing is lost once a probe finds nothing either', async () => {
  const { sdk } = setUp(() => {
    throw new TypeError('Failed to fetch');
  });
  await sdk.api.call(at.auth.me).catch(() => undefined);
  await vi.waitFor(() => expect(sdk.connection.lostAtMs.get()).not.toBeNull(), 15_000);
});
