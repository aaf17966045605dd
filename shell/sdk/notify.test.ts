// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { notify } from './notify';
import { createTestSdk } from './testing';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('past the page it tells who has allowed it and looks elsewhere; on the page there is the toast', async () => {
  const showNotification = vi.fn(async () => undefined);
  const worker = { ready: Promise.resolve({ showNotification }) };
  vi.stubGlobal('Notification', { permission: 'granted' });
  vi.stubGlobal('navigator', { serviceWorker: worker });
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const sdk = createTestSdk();
  const notice = { tab: 'node', title: 'Your node has paused', text: 'Start it again.' } as const;

  notify(sdk.toasts, notice);
  seen.mockReturnValue('hidden');
  notify(sdk.toasts, notice);
  await worker.ready;

  expect(sdk.shown).toMatchObject([{ title: notice.title }, { title: notice.title }]);
  expect(showNotification).toHaveBeenCalledExactlyOnceWith(
    notice.title,
    expect.objectContaining({ body: notice.text, tag: notice.title, data: { tab: 'node' } }),
  );
});
