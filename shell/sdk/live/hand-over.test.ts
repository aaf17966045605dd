// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestSdk, sampleUser } from '../testing';
import { createLive, LIVE_BOUNDS, type Live } from './live';
import { createFakeChannel, createFakeLocks, FakeSource } from './testing';

interface Tab {
  seen: boolean;
  live: Live;
  /** Its streams, in order. */
  streams: FakeSource[];
  stop(): void;
}

let tabs: Tab[] = [];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const { stop } of tabs) stop();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Opens two hidden tabs of one user, the first of which leads with an open stream; then the second becomes visible and takes the lead. */
async function handedOver() {
  const [channel, locks] = [createFakeChannel(), createFakeLocks()];
  tabs = ['a', 'b'].map((name) => {
    const tab: Partial<Tab> & Pick<Tab, 'seen' | 'streams'> = { seen: false, streams: [] };
    const connect = () => {
      const made = new FakeSource();
      tab.streams.push(made);
      return made;
    };
    const own = { broadcast: channel.of(name), locks: locks.of(name), isSeen: () => tab.seen, connect };
    const live = createLive({ ...createTestSdk({ user: sampleUser() }), ...own });
    return Object.assign(tab, { live, stop: live.run() });
  });
  const [a, b] = tabs as [Tab, Tab];
  await pass(0);
  a.streams[0]?.opens();
  await pass(30_000);
  await see(b, true);
  expect([a.live.leads(), b.live.leads(), b.streams[0]?.readyState]).toEqual([false, true, 0]);
  return { a, b };
}

async function see(tab: Tab, seen: boolean) {
  tab.seen = seen;
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
}

test('a new leader without a stream counts as closed once the old stream has ended', async () => {
  const { a, b } = await handedOver();
  await pass(LIVE_BOUNDS.handOverMs - 1);
  expect([a.live.open.get(), b.live.open.get(), a.streams[0]?.readyState]).toEqual([true, true, 1]);
  await pass(1);
  expect([a.live.open.get(), b.live.open.get(), a.streams[0]?.readyState]).toEqual([false, false, 2]);
});

test('a former leader that leads again keeps its stream', async () => {
  const { a, b } = await handedOver();
  a.seen = true;
  await see(b, false);
  expect([a.live.leads(), a.streams.length]).toEqual([true, 1]);
  await pass(2 * LIVE_BOUNDS.handOverMs);
  expect([a.live.open.get(), b.live.open.get(), a.streams[0]?.readyState]).toEqual([true, true, 1]);
});

/** Opens one visible tab with an open stream. */
async function alone() {
  const locks = createFakeLocks();
  const sdk = createTestSdk({ user: sampleUser() });
  const streams: FakeSource[] = [];
  const connect = () => {
    const made = new FakeSource();
    streams.push(made);
    return made;
  };
  const live = createLive({ ...sdk, locks: locks.of('a'), isSeen: () => true, connect, random: () => 0 });
  const tab = { seen: true, live, streams, stop: live.run() };
  tabs = [tab];
  await pass(0);
  streams[0]?.opens();
  return { ...tab, sdk, locks };
}

test('each first loss is left to the browser; the stream is replaced after a second one in a row', async () => {
  const { streams } = await alone();
  for (const _loss of [1, 2]) {
    streams[0]?.breaks();
    await pass(60_000);
    streams[0]?.opens();
  }
  expect(streams).toHaveLength(1);
  streams[0]?.breaks();
  streams[0]?.breaks();
  await pass(LIVE_BOUNDS.againMs * 2 - 1);
  expect(streams).toHaveLength(1);
  await pass(1);
  expect(streams).toHaveLength(2);
});

test('a page in the back/forward cache holds neither lead nor stream', async () => {
  const { streams, locks } = await alone();
  window.dispatchEvent(new Event('pagehide'));
  await pass(0);
  expect([streams[0]?.readyState, locks.holder()]).toEqual([2, null]);
  window.dispatchEvent(new Event('pageshow'));
  await pass(0);
  expect([streams.length, locks.holder()]).toEqual([2, 'a']);
});

test('a sign-out ends the wait for another try of a refused stream', async () => {
  const { streams, sdk } = await alone();
  streams[0]?.breaks(true);
  sdk.session.signOut();
  await pass(600_000);
  expect(streams).toHaveLength(1);
});

test('after it has stopped, neither a sign-in nor a return to the page starts a stream', async () => {
  const { stop, sdk, streams, locks } = await alone();
  stop();
  sdk.session.signIn(sampleUser({ id: 'f'.repeat(32) }));
  window.dispatchEvent(new Event('pagehide'));
  window.dispatchEvent(new Event('pageshow'));
  await pass(0);
  expect([streams.length, locks.holder()]).toEqual([1, null]);
});
