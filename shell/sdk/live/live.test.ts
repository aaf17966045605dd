// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { translate } from '../i18n';
import { at, createTestSdk, problem, SAMPLE_NOW_MS, sampleMining, sampleUser, type TestSdk } from '../testing';
import { createLive, LIVE_BOUNDS, type Live } from './live';
import { createFakeChannel, createFakeLocks, FakeSource } from './testing';

const user = sampleUser({ balanceSeq: '100', current_balance: 50 });
const iso = (ms: number) => new Date(ms).toISOString();

let sdk: TestSdk;
let locks: ReturnType<typeof createFakeLocks>;
let sources: FakeSource[];
let live: Live;
let letGo: () => void;
let read: string[];

beforeEach(() => {
  vi.useFakeTimers();
  sdk = createTestSdk({ user });
  locks = createFakeLocks();
  sources = [];
  read = [];
  vi.spyOn(sdk.cache, 'invalidate').mockImplementation((keys) => void read.push(...keys.map((key) => String(key[0]))));
  vi.spyOn(sdk.cache, 'onEvent').mockImplementation((kind) => void read.push(kind));
  live = createLive({
    ...sdk,
    locks: locks.of('this'),
    connect: () => {
      const source = new FakeSource();
      sources.push(source);
      return source;
    },
    random: () => 0.5,
  });
  letGo = live.run();
});

afterEach(() => {
  letGo();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const source = () => sources.at(-1) as FakeSource;

async function open() {
  await pass(0);
  source().opens();
}

test('the leading tab holds the stream and informs the others that it is open', async () => {
  await pass(0);
  expect([live.leads(), live.open.get(), sources.length]).toEqual([true, false, 1]);
  source().opens();
  expect(live.open.get()).toBe(true);
  expect(sdk.sent.at(-1)).toMatchObject({ kind: 'leads', userId: user.id, seen: true, open: true });
  // Data read when the page opened is not read again.
  await pass(60_000);
  expect(read).toEqual([]);
});

test('states in events are shown here and sent to the other tabs, and an older state never replaces a newer one', async () => {
  await open();
  const updatedUser = { id: user.id, balanceSeq: '105', current_balance: 70 };
  source().deliver('balance', { seq: '105', newBalance: 70, balanceSeq: '105', updatedUser });
  source().deliver('balance', {
    seq: '104',
    newBalance: 60,
    balanceSeq: '104',
    updatedUser: { ...updatedUser, balanceSeq: '104', current_balance: 60 },
  });
  expect(sdk.session.balance.get()?.micro).toBe(70_000_000n);
  source().deliver('node', { seq: '105', session: sampleMining() });
  expect(sdk.session.node.get()?.status).toBe('active');
  source().deliver('stats', { seq: '9', activeMiners: 2, totalMiners: 9, totalMined: 10, onlineNow: 3 });
  source().deliver('stats', { seq: '8', activeMiners: 1, totalMiners: 8, totalMined: 9, onlineNow: 3 });
  expect(sdk.queries.getQueryData(['stats'])).toMatchObject({ totalMiners: 9 });
  source().deliver('release', { seq: '9' });
  expect(sdk.queries.getQueryData(['release'])).toEqual({ seq: '9' });
  const epochs = [
    { id: 'a', startDate: iso(SAMPLE_NOW_MS - 1), endDate: iso(SAMPLE_NOW_MS + 1) },
    { id: 'b', startDate: iso(SAMPLE_NOW_MS + 1), endDate: iso(SAMPLE_NOW_MS + 2) },
  ];
  source().deliver('epoch', { seq: '3', epochs });
  expect(sdk.queries.getQueryData(['epochs', 'current'])).toEqual(epochs[0]);
  expect(sdk.sent.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['user', 'node', 'known']));
});

test('an epoch event invalidates the epochs when the page’s language is not that of the event', async () => {
  await open();
  translate({ de: { load: async () => ({ default: {} }) } }, 'de');
  source().deliver('epoch', {
    seq: '3',
    epochs: [{ id: 'a', startDate: iso(SAMPLE_NOW_MS - 1), endDate: iso(SAMPLE_NOW_MS + 1) }],
  });
  translate({}, null);
  expect(sdk.queries.getQueryData(['epochs', 'current'])).toBeUndefined();
  expect(read).toEqual(expect.arrayContaining(['epochs', 'rules']));
});

test('a stop event applies even if this page’s clock lags behind the start before it', async () => {
  await open();
  const startedMs = SAMPLE_NOW_MS + 400;
  source().deliver('node', { seq: '105', session: sampleMining({ serverTime: iso(startedMs) }) });
  expect(sdk.session.node.get()?.status).toBe('active');
  source().deliver('node', { seq: '106', session: null, serverTime: iso(startedMs + 50) });
  expect(sdk.session.node.get()).toBeNull();
});

test('an event that is malformed or lacks its state invalidates its data; an unknown kind changes nothing', async () => {
  await open();
  source().deliver('node', 'not json');
  source().deliver('rate', { seq: '7', of: 'another release' });
  source().deliver('stats', { seq: '7', of: 'another release' });
  source().deliver('weather', { seq: '1' });
  expect(read).toEqual(['node', 'node', 'rate', 'rate', 'stats', 'stats']);
  expect(sdk.session.node.get()).toBeUndefined();
});

test('after a gap everything is read once, at a random time within the spread', async () => {
  await open();
  source().breaks();
  expect(live.open.get()).toBe(false);
  await pass(3_000);
  source().opens();
  expect(live.open.get()).toBe(true);
  await pass(LIVE_BOUNDS.spreadMs / 2 - 1);
  expect(read).toEqual([]);
  await pass(1);
  expect(read).toEqual(['all']);
  await pass(60_000);
  expect(read).toEqual(['all']);
});

test('a refused stream is requested again with growing waits, up to 45 s, and a call of /auth/me each time', async () => {
  await pass(0);
  sdk.api.fail(at.auth.me, problem(503, 'down'));
  const waits: number[] = [];
  for (let times = 0; times < 6; times += 1) {
    source().breaks(true);
    const before = sources.length;
    let waited = 0;
    for (; sources.length === before; waited += 500) await pass(500);
    waits.push(waited);
  }
  expect(waits).toEqual([1_500, 3_000, 6_000, 12_000, 24_000, 45_000]);
  expect(sdk.api.callsOf(at.auth.me)).toHaveLength(6);
  source().opens();
  expect(live.open.get()).toBe(true);
});

test('a sign-out closes the stream and releases the lead; the next user has a stream of their own', async () => {
  await open();
  sdk.session.signOut();
  await pass(0);
  expect([source().readyState, live.open.get(), locks.holder()]).toEqual([2, false, null]);
  sdk.session.signIn(sampleUser({ id: 'b'.repeat(32) }));
  await pass(0);
  expect([sources.length, locks.holder(), live.leads()]).toEqual([2, 'this', true]);
});

test('without Web Locks there is no stream: each tab leads, and reads everything after a reconnect', async () => {
  letGo();
  const alone = createLive({ ...sdk, locks: null, connect: () => expect.unreachable() });
  letGo = alone.run();
  await pass(5_000);
  expect([alone.leads(), alone.open.get()]).toEqual([true, false]);
  sdk.connection.lostAtMs.set(1);
  sdk.connection.lostAtMs.set(null);
  await pass(LIVE_BOUNDS.spreadMs);
  expect(read).toContain('all');
});

test('a reconnect opens a new stream, and reads everything once', async () => {
  await open();
  sdk.connection.lostAtMs.set(sdk.clock.now());
  sdk.connection.lostAtMs.set(null);
  expect(sources).toHaveLength(2);
  await pass(100);
  source().opens();
  await pass(60_000);
  expect(read.filter((of) => of === 'all')).toHaveLength(1);
});

test('a stream that is silent while saves change the balance is replaced', async () => {
  await open();
  const credit = (seq: number) => sdk.session.merge({ id: user.id, balanceSeq: String(seq), current_balance: seq });
  await pass(LIVE_BOUNDS.deafMs);
  credit(101);
  expect(sources).toHaveLength(1);
  await pass(1);
  credit(102);
  expect(sources).toHaveLength(2);
});

test('after sleep the stream is replaced, whether or not the balance changes; a late timer does not replace it', async () => {
  await open();
  await pass(LIVE_BOUNDS.lookMs);
  vi.setSystemTime(Date.now() + LIVE_BOUNDS.sleptMs - LIVE_BOUNDS.lookMs);
  await pass(LIVE_BOUNDS.lookMs);
  expect(sources).toHaveLength(1);
  vi.setSystemTime(Date.now() + LIVE_BOUNDS.sleptMs);
  await pass(LIVE_BOUNDS.lookMs);
  expect(sources).toHaveLength(2);
  source().opens();
  await pass(LIVE_BOUNDS.spreadMs);
  expect(read).toEqual(['all']);
});

test('a frozen page releases lead and stream, and reads everything once when it resumes', async () => {
  await open();
  document.dispatchEvent(new Event('freeze'));
  await pass(0);
  expect([source().readyState, locks.holder()]).toEqual([2, null]);
  await pass(600_000);
  document.dispatchEvent(new Event('resume'));
  await pass(0);
  source().opens();
  await pass(0);
  expect(read.filter((of) => of === 'all')).toHaveLength(1);
  await pass(60_000);
  expect(read.filter((of) => of === 'all')).toHaveLength(1);
});

test('a page that did not sleep reads nothing when it is shown; one that slept follows its session again', async () => {
  await open();
  window.dispatchEvent(new Event('pageshow'));
  await pass(60_000);
  expect(read).toEqual([]);
  document.dispatchEvent(new Event('freeze'));
  document.dispatchEvent(new Event('resume'));
  await pass(0);
  sdk.session.signOut();
  await pass(0);
  expect(locks.holder()).toBeNull();
});

test('states of a new stream are shown whatever their number', async () => {
  await open();
  const stats = { activeMiners: 2, totalMined: 10, onlineNow: 3 };
  source().deliver('stats', { ...stats, seq: '9', totalMiners: 9 });
  source().breaks();
  source().opens();
  source().deliver('stats', { ...stats, seq: '3', totalMiners: 8 });
  expect(sdk.queries.getQueryData(['stats'])).toMatchObject({ totalMiners: 8 });
});

test('the lead moves without a gap: the old stream stays open until the new one is, and nothing is read again', async () => {
  letGo();
  const channel = createFakeChannel();
  const tabs = ['a', 'b'].map((name) => {
    const tab = { seen: false, streams: [] as FakeSource[] };
    const connect = () => {
      const made = new FakeSource();
      tab.streams.push(made);
      return made;
    };
    const own = { broadcast: channel.of(name), cache: sdk.cache, locks: locks.of(name), isSeen: () => tab.seen };
    return { ...tab, tab, live: createLive({ ...createTestSdk({ user }), ...own, connect }) };
  });
  const [a, b] = tabs as [(typeof tabs)[number], (typeof tabs)[number]];
  const stops = tabs.map(({ live: each }) => each.run());
  await pass(0);
  a.streams[0]?.opens();
  await pass(30_000);
  expect([a.live.leads(), b.live.open.get(), b.streams.length]).toEqual([true, true, 0]);

  b.tab.seen = true;
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect([a.live.leads(), b.live.leads(), a.streams[0]?.readyState]).toEqual([false, true, 1]);
  expect([a.live.open.get(), b.live.open.get()]).toEqual([true, true]);
  b.streams[0]?.opens();
  await pass(0);
  expect([a.streams[0]?.readyState, b.streams[0]?.readyState]).toEqual([2, 1]);
  await pass(60_000);
  expect(read).toEqual([]);

  // A tab that disappears without a message leaves a gap.
  b.streams[0]?.close();
  locks.vanish('b');
  channel.freeze('b');
  await pass(0);
  expect(a.live.leads()).toBe(true);
  a.streams.at(-1)?.opens();
  await pass(0);
  expect(read).toContain('all');
  for (const stop of stops) stop();
});
