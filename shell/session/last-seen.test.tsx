import { at, createTestSdk, SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import { act, renderWithSdk } from '@cord/sdk/testing/render';
import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { KEEP_EVERY_MS, readLastSeen, useKeepLastSeen, writeLastSeen } from './last-seen';

const { id } = sampleUser();

function Page({ ahead }: { ahead: boolean }) {
  useKeepLastSeen(ahead);
  return null;
}

function open(node: ReturnType<typeof sampleMining> | null = null, { ahead = false } = {}) {
  const sdk = createTestSdk();
  sdk.api.on(at.mining.current, node);
  return { sdk, ...renderWithSdk(<Page ahead={ahead} />, sdk) };
}

it('the balance shown when the page was left is known at the next visit', () => {
  open();
  expect(readLastSeen(id)).toBeNull();
  window.dispatchEvent(new Event('pagehide'));
  expect(readLastSeen(id)?.micro).toBe(48_213_570_000n);
});

it('the earnings of the node’s session at that time are kept too, null without a running node', async () => {
  const running = sampleMining();
  const { sdk } = open(running);
  await waitFor(() => expect(sdk.session.node.get()?.id).toBe(running.id));
  sdk.clock.advance(60_000);
  window.dispatchEvent(new Event('pagehide'));
  expect(readLastSeen(id)?.session).toEqual({ id: running.id, micro: 421_255_000n });
  sdk.session.observeNode(null);
  window.dispatchEvent(new Event('pagehide'));
  expect(readLastSeen(id)?.session).toBeNull();
});

it('without a pagehide event, the last time is when the node started or stopped, or at most a minute ago', async () => {
  writeLastSeen({ userId: id, micro: 1n, atMs: SAMPLE_NOW_MS - 9 * 3_600_000, session: null });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const running = sampleMining();
  const { sdk } = open(running, { ahead: true });
  await expect.poll(() => readLastSeen(id)?.session?.id).toBe(running.id);
  expect(readLastSeen(id)?.atMs).toBe(SAMPLE_NOW_MS);
  act(() => sdk.session.observeNode(null));
  await expect.poll(() => readLastSeen(id)?.session).toBeNull();
  sdk.clock.advance(KEEP_EVERY_MS);
  expect(readLastSeen(id)?.atMs).toBe(SAMPLE_NOW_MS);
  vi.advanceTimersByTime(KEEP_EVERY_MS);
  expect(readLastSeen(id)?.atMs).toBe(SAMPLE_NOW_MS + KEEP_EVERY_MS);
});

it('stores the balance when the page is hidden, and no later one until it is visible', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { sdk, unmount } = open(sampleMining(), { ahead: true });
  await expect.poll(() => readLastSeen(id)?.session).toBeTruthy();
  sdk.clock.advance(1_000);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(readLastSeen(id)?.atMs).toBe(SAMPLE_NOW_MS + 1_000);
  sdk.clock.advance(KEEP_EVERY_MS);
  vi.advanceTimersByTime(KEEP_EVERY_MS);
  expect(readLastSeen(id)?.atMs).toBe(SAMPLE_NOW_MS + 1_000);
  unmount();
  localStorage.clear();
  visibility.mockReturnValue('visible');
  vi.advanceTimersByTime(KEEP_EVERY_MS);
  visibility.mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('pagehide'));
  expect(readLastSeen(id)).toBeNull();
});

it('nothing is kept ahead of leaving while the earlier value is still to be read', async () => {
  const { sdk } = open(null);
  await waitFor(() => expect(sdk.session.node.get()).toBeNull());
  expect(readLastSeen(id)).toBeNull();
});

it('a value kept by an earlier release has no session', () => {
  localStorage.setItem('cord.last-seen', JSON.stringify({ userId: id, micro: '5', atMs: 1 }));
  expect(readLastSeen(id)).toEqual({ userId: id, micro: 5n, atMs: 1, session: undefined });
});

it('an expired session keeps the node’s session as last shown, as the same person returns', async () => {
  const running = sampleMining();
  const { sdk, unmount } = open(running, { ahead: true });
  await expect.poll(() => readLastSeen(id)?.session?.id).toBe(running.id);
  sdk.session.signOut();
  unmount();
  expect(readLastSeen(id)?.session?.id).toBe(running.id);
});

it('a sign-out keeps the last balance, not the empty one after it', () => {
  const { sdk, unmount } = open();
  sdk.session.signOut();
  unmount();
  expect(readLastSeen(id)?.micro).toBe(48_213_570_000n);
});

it.each(['', 'null', '{', '{"userId":1}', JSON.stringify({ userId: id, micro: 'x', atMs: 1 })])(
  'an invalid stored value (%s) is ignored',
  (text) => {
    localStorage.setItem('cord.last-seen', text);
    expect(readLastSeen(id)).toBeNull();
  },
);
