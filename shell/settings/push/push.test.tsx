import { NOTICE_KINDS } from '@cord/contracts/rules/notices';
import { at, sampleUser } from '@cord/sdk/testing';
import { backInReach, outOfReach, settle, until } from '@cord/sdk/testing/render';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { BellPlace } from '../../header/bell-place';
import '../../offline/know-push-owner';
import { renderInShell } from '../../testing/render';
import { createTestShell } from '../../testing/test-shell';
import { NoticeChoices } from '../notice-choices';
import { PauseWarning } from './pause-warning';

const ENDPOINT = 'https://push.example/me';
/** Half of the endpoint's SHA-256. */
const HERE = '5a16d76e39936f4d7cae8eaa77744281';
const device = (id: string, name: string) => ({
  id,
  device: name,
  allowedAt: '2026-11-20T11:00:00.000Z',
  lastSentAt: null,
});
/** The owner as the worker stores it. */
const OWN = { userId: sampleUser().id, id: HERE, locale: 'en' };
const ELSEWHERE = device('e'.repeat(32), 'Firefox on Android');

afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

/** A browser that supports pushes and shows its prompt. */
function pushable(permission: NotificationPermission, choice: NotificationPermission = 'granted') {
  const browser = { permission, prompts: 0, subscribed: false };
  const subscription = {
    endpoint: ENDPOINT,
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      browser.subscribed = false;
    },
  };
  const pushManager = {
    getSubscription: async () => (browser.subscribed ? subscription : null),
    subscribe: vi.fn(async (_options: object) => {
      browser.subscribed = true;
      return subscription;
    }),
  };
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    requestPermission: async () => {
      browser.prompts += 1;
      browser.permission = choice;
      return browser.permission;
    },
  });
  // Owners stored for the worker, which renews subscriptions with them.
  const owners = new Map<string, unknown>();
  vi.stubGlobal('caches', {
    open: async (name: string) => ({
      put: async (_key: string, response: Response) => void owners.set(name, await response.json()),
    }),
    match: async (_key: string, { cacheName }: { cacheName: string }) =>
      owners.has(cacheName) ? Response.json(owners.get(cacheName)) : undefined,
    delete: async (name: string) => owners.delete(name),
  });
  const worker = { pushManager };
  const serviceWorker = { getRegistration: async () => worker, ready: Promise.resolve(worker) };
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
  return Object.assign(browser, { pushManager, owners });
}

function show({
  key = 'the key' as string | null,
  devices = [] as ReturnType<typeof device>[],
  what = <NoticeChoices />,
} = {}) {
  const shell = createTestShell();
  let listed = devices;
  let kept = { autoStart: false, notifications: true, notices: {}, quietHours: null as object | null };
  shell.sdk.api
    .on(at.notices.list, { notices: [], unread: 0, nextCursor: null })
    .on(at.notices.pushKey, { key })
    .on(at.notices.pushDevices, () => listed)
    .on(at.notices.pushSubscribe, () => {
      listed = [device(HERE, 'Chromium on Linux'), ...listed];
      return device(HERE, 'Chromium on Linux');
    })
    .on(at.notices.pushRemove, ({ body }) => {
      listed = listed.filter(({ id }) => id !== body?.id);
      return undefined;
    })
    .on(at.notices.pushTest, { success: true })
    .on(at.users.getSettings, () => kept as never)
    .on(at.users.putSettings, ({ body }) => {
      kept = { ...kept, ...(body as object) };
      return kept as never;
    });
  const view = renderInShell(shell, what);
  return { api: shell.sdk.api, ...view };
}

const isOn = () => screen.getByTestId('push-here').getAttribute('aria-checked');

test('the first press on Push opens the browser’s prompt once; then a test can be sent and browsers removed', async () => {
  const browser = pushable('default');
  const { api, user } = show({ devices: [ELSEWHERE] });
  await screen.findByText('Not turned on here.');
  expect(browser.prompts).toBe(0);
  const streak = screen.getByRole('radiogroup', { name: 'Streak closes' });
  await user.click(within(streak).getByLabelText('Push'));
  await screen.findByRole('button', { name: 'Send a test' });
  expect([browser.prompts, isOn()]).toEqual([1, 'true']);
  expect(browser.pushManager.subscribe.mock.calls[0]?.[0]).toEqual({
    userVisibleOnly: true,
    applicationServerKey: 'the key',
  });
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const body = { endpoint: ENDPOINT, keys: { p256dh: 'p', auth: 'a' }, zone, locale: 'en' };
  expect(api.callsOf(at.notices.pushSubscribe)).toMatchObject([{ body }]);
  expect([...browser.owners.values()]).toEqual([{ userId: sampleUser().id, id: HERE, locale: 'en' }]);
  expect(api.callsOf(at.users.putSettings)).toMatchObject([{ body: { notices: { 'streak-closing': 'push' } } }]);

  const choicesOf = (name: string) => within(screen.getByRole('radiogroup', { name }));
  expect(screen.getAllByLabelText('Push')).toHaveLength(NOTICE_KINDS.length);
  await user.click(choicesOf('Payment confirmed or refunded').getByLabelText('Push'));
  await user.click(screen.getByRole('button', { name: 'Send a test' }));
  await waitFor(() => expect(api.callsOf(at.notices.pushTest)).toMatchObject([{ body: { id: HERE } }]));
  expect(browser.prompts).toBe(1);
  await user.click(screen.getByRole('button', { name: 'Remove Firefox on Android' }));
  await waitFor(() => expect(screen.queryByText('Firefox on Android')).toBeNull());
  await user.click(screen.getByTestId('push-here'));
  await waitFor(() => expect([isOn(), browser.subscribed]).toEqual(['false', false]));
  expect(browser.owners.size).toBe(0);
  expect(api.callsOf(at.notices.pushRemove).map(({ body: gone }) => gone)).toEqual([
    { id: ELSEWHERE.id },
    { id: HERE },
  ]);
});

test.each([
  ['the first one: it is pushed to by the choice itself', [], 1],
  ['left out before: only its switch takes it back in', [ELSEWHERE], 0],
])('a browser with permission is %s', async (_how, devices, subscribed) => {
  const browser = pushable('granted');
  const { api, user } = show({ devices });
  await screen.findByText('Not turned on here.');
  await user.click(within(screen.getByRole('radiogroup', { name: 'Streak closes' })).getByLabelText('Push'));
  await waitFor(() => expect(api.callsOf(at.users.putSettings)).toHaveLength(1));
  expect(browser.pushManager.subscribe).toHaveBeenCalledTimes(subscribed);
});

test('a blocked permission is shown, without a prompt', async () => {
  const browser = pushable('denied');
  const { user } = show();
  await screen.findByText(
    'Blocked in the browser. Allow notifications for this site in its settings, then turn this on.',
  );
  await user.click(within(screen.getByRole('radiogroup', { name: 'Streak closes' })).getByLabelText('Push'));
  await user.click(screen.getByTestId('push-here'));
  expect([browser.prompts, isOn()]).toEqual([0, 'false']);
  const described = screen.getByTestId('push-here').getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toMatch(/^Blocked in the browser\./);
});

test('quiet hours start as a night in this browser’s time zone, and can be changed', async () => {
  pushable('default');
  const { api, user } = show();
  await user.click(await screen.findByTestId('quiet-hours'));
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const put = () => api.callsOf(at.users.putSettings).map(({ body }) => body);
  await waitFor(() => expect(put()).toEqual([{ quietHours: { from: '23:00', to: '07:00', zone } }]));
  const to = within(await screen.findByRole('group', { name: 'Quiet hours' })).getByLabelText('To');
  await user.clear(to);
  await user.type(to, '08:30');
  await user.tab();
  await waitFor(() => expect(put().at(-1)).toEqual({ quietHours: { from: '23:00', to: '08:30', zone } }));
  expect(
    screen.getByText('No push from 23:00 to 08:30, your time, except when your node is about to pause.'),
  ).toBeTruthy();
});

test('without push on the server, no push is offered', async () => {
  pushable('default');
  const { api } = show({ key: null });
  const streak = await screen.findByRole('radiogroup', { name: 'Streak closes' });
  await waitFor(() => expect(api.callsOf(at.notices.pushKey)).toHaveLength(1));
  expect(within(streak).queryByLabelText('Push')).toBeNull();
  expect(screen.queryByText('Push on this device')).toBeNull();
});

test.each([
  [
    'that is pushed to for this user is kept so for the worker, once the page is quiet',
    [device(HERE, 'Here')],
    null,
    [OWN],
  ],
  ['that the server does not push to is nobody’s', [ELSEWHERE], null, []],
  ['that another user has left is this one’s', [device(HERE, 'Here')], { ...OWN, userId: 'another' }, [OWN]],
  ['that is known is registered as of this sign-in', [device(HERE, 'Here')], OWN, [OWN]],
  ['that was left out elsewhere is not registered again', [], OWN, [OWN]],
  ['that another user allowed is pushed to no more', [ELSEWHERE], { ...OWN, userId: 'another' }, []],
])('a browser %s', async (_which, devices, kept, then) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const browser = pushable('granted');
  browser.subscribed = true;
  if (kept) browser.owners.set('cord-push', kept);
  const { api } = show({ devices, what: <BellPlace /> });
  await settle(3_000);
  // Neither the file nor the browser's digest depends on fake time.
  await until(() => expect(api.callsOf(at.notices.pushDevices)).toHaveLength(1));
  const isHere = devices.some(({ id }) => id === HERE);
  await until(() => expect([...browser.owners.values()]).toEqual(then));
  await until(() => expect(api.callsOf(at.notices.pushSubscribe)).toHaveLength(isHere ? 1 : 0));
  await until(() => expect(browser.subscribed).toBe(isHere || kept?.userId !== 'another'));
  expect(browser.prompts).toBe(0);
});

const warning = () => screen.findByRole('switch', { name: 'Warn me before the node pauses' });

test('the switch beside the node sets the notice of its pause, with one prompt of the browser', async () => {
  const browser = pushable('default');
  const { api, user } = show({ what: <PauseWarning />, devices: [ELSEWHERE] });
  const put = () => api.callsOf(at.users.putSettings).map(({ body }) => body);
  expect((await warning()).getAttribute('aria-checked')).toBe('false');
  screen.getByText(
    'One message to this device, 1 hour before, with an Extend button. Never more than one for each pause.',
  );
  expect(browser.prompts).toBe(0);
  await user.click(await warning());
  await waitFor(async () => expect((await warning()).getAttribute('aria-checked')).toBe('true'));
  expect([browser.prompts, browser.subscribed]).toEqual([1, true]);
  expect(put()).toEqual([{ notifications: true, notices: { 'node-paused': 'push' } }]);
  // This browser keeps its subscription for other kinds of notices.
  await user.click(await warning());
  await waitFor(() => expect(put()[1]).toEqual({ notices: { 'node-paused': 'app' } }));
  expect((await warning()).getAttribute('aria-checked')).toBe('false');
  await user.click(await warning());
  await waitFor(() => expect(put()).toHaveLength(3));
  expect([browser.prompts, api.callsOf(at.notices.pushRemove)]).toEqual([1, []]);
});

test('a refused prompt beside the node changes no setting', async () => {
  const browser = pushable('default', 'denied');
  const { api, user } = show({ what: <PauseWarning /> });
  await user.click(await warning());
  await screen.findByText(/^Blocked in the browser\./);
  expect([browser.prompts, browser.subscribed, api.callsOf(at.users.putSettings)]).toEqual([1, false, []]);
  await user.click(await warning());
  expect(browser.prompts).toBe(1);
});

test('the switch beside the node shows an error while the server is unreachable, then loads', async () => {
  pushable('default');
  await outOfReach(createTestShell().sdk);
  const { shell } = show({ what: <PauseWarning /> });
  await screen.findByText('This setting could not be loaded');
  await backInReach(shell.sdk);
  await warning();
});
