// @vitest-environment jsdom
import { miningEndpoints } from '@cord/contracts/http/mining';
import { userEndpoints } from '@cord/contracts/http/users';
import { createTestSdk, sampleMining, sampleUser } from '@cord/sdk/testing';
import { act, cleanup, renderWithSdk, settled } from '@cord/sdk/testing/render';
import { afterEach, expect, it, vi } from 'vitest';
import { useNotifications } from './use-notifications';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function Page() {
  useNotifications();
  return null;
}

async function open({ notifications = true, claimed = true } = {}) {
  const sdk = createTestSdk({ user: sampleUser({ daily_checkin_claimed: claimed }) });
  sdk.api
    .on(miningEndpoints.current, sampleMining())
    .on(userEndpoints.getSettings, { autoStart: false, notifications });
  const view = renderWithSdk(<Page />, sdk);
  await settled(sdk);
  const pause = () => act(async () => sdk.session.observeNode(sampleMining({ status: 'paused' })));
  return { sdk, pause, ...view };
}

it('tells that the node has paused, with the way on', async () => {
  const { sdk, pause } = await open();
  expect(sdk.shown).toEqual([]);
  await pause();
  expect(sdk.shown).toEqual([
    {
      kind: 'info',
      title: 'Your node has paused',
      text: 'It ran for 8 hours without a visit. Start it again to go on.',
      durationMs: 4_000,
    },
  ]);
});

it('tells that a check-in is due once a new day has begun; at the start of the page it stands in sight', async () => {
  expect((await open({ claimed: false })).sdk.shown).toEqual([]);
  cleanup();
  const { sdk } = await open({ claimed: true });
  await act(async () => sdk.session.merge({ id: sampleUser().id, daily_checkin_claimed: false }));
  expect(sdk.shown).toMatchObject([{ title: 'Your check-in is due', text: 'A check-in today keeps your streak.' }]);
});

it('tells nothing to who has not set it so', async () => {
  const { sdk, pause } = await open({ notifications: false });
  await pause();
  await act(async () => sdk.session.merge({ id: sampleUser().id, daily_checkin_claimed: false }));
  expect(sdk.shown).toEqual([]);
});

it('past the page it tells who has allowed it and looks elsewhere', async () => {
  const showNotification = vi.fn(async () => undefined);
  vi.stubGlobal('Notification', { permission: 'granted' });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve({ showNotification }) },
  });
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const { pause } = await open();
  await pause();
  expect(showNotification).toHaveBeenCalledWith(
    'Your node has paused',
    expect.objectContaining({ tag: 'Your node has paused', data: { tab: 'node' } }),
  );
  Reflect.deleteProperty(navigator, 'serviceWorker');
});
