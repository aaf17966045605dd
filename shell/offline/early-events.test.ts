// @vitest-environment jsdom
import { at, createTestSdk } from '@cord/sdk/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { thisBrowser } from '../settings/push/this-browser';
import { listenToNotifications } from './early-events';
import { knowPushOwner } from './know-push-owner';
import { endPushesSoon } from './push-owner';
import { registerWorker } from './register-worker';

const serviceWorker = (more: object) =>
  vi.stubGlobal('navigator', { serviceWorker: Object.assign(new EventTarget(), { startMessages: vi.fn() }, more) });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a click on a notification opens its tab, even from before the page loaded; other messages do not', () => {
  serviceWorker({});
  const go = vi.fn();
  listenToNotifications(go);
  for (const data of [null, { kind: 'go', tab: 'tasks' }, { kind: 'go' }, { kind: 'other', tab: 'node' }])
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }));
  expect(go.mock.calls).toEqual([['tasks']]);
  expect(navigator.serviceWorker.startMessages).toHaveBeenCalledOnce();
});

test('the worker is registered after load, with a Trusted Types policy for its address only; a failure has no effect', async () => {
  const register = vi.fn(async (_url: string) => Promise.reject(new Error('no')));
  serviceWorker({ register });
  let rules = { createScriptURL: (url: string) => url };
  vi.stubGlobal('trustedTypes', { createPolicy: (_name: string, made: typeof rules) => (rules = made) });
  vi.spyOn(document, 'readyState', 'get').mockReturnValueOnce('interactive');
  registerWorker();
  expect(register).not.toHaveBeenCalled();
  dispatchEvent(new Event('load'));
  registerWorker();
  expect(register.mock.calls).toEqual([['/sw.js'], ['/sw.js']]);
  expect(rules.createScriptURL('/other.js')).toBe('');
});

test.each([
  ['fails', () => Promise.reject(new Error('away'))],
  ['never answers', () => new Promise(() => undefined)],
])('leaving waits at most two seconds for a push service that %s', async (_what, getRegistration) => {
  vi.useFakeTimers();
  serviceWorker({ getRegistration });
  const left = endPushesSoon();
  await vi.advanceTimersByTimeAsync(2_000);
  await left;
});

test('a browser is not registered for push if the user has changed meanwhile', async () => {
  const subscription = { endpoint: 'https://push.example/1', unsubscribe: vi.fn() };
  const getRegistration = async () => ({ pushManager: { getSubscription: async () => subscription } });
  serviceWorker({ getRegistration });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission: 'granted' });
  const sdk = createTestSdk();
  const devices = sdk.api.hold(at.notices.pushDevices);
  const known = knowPushOwner(sdk, sdk.session.state.get().user?.id ?? '');
  await expect.poll(() => sdk.api.callsOf(at.notices.pushDevices).length).toBe(1);
  sdk.session.signOut();
  devices.answer([{ id: (await thisBrowser()).id } as never]);
  await known;
  expect(sdk.api.calls.map((call) => call.id)).toEqual([at.notices.pushDevices.id]);
  expect(subscription.unsubscribe).not.toHaveBeenCalled();
});
