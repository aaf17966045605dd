import { beforeEach, expect, test, vi } from 'vitest';
import { createConnection } from './connection';

beforeEach(() => {
  vi.useFakeTimers();
});

function setUp(onLine = true, random = 0) {
  const server = { answers: true, probes: 0, nowMs: 1_000 };
  const browser = Object.assign(new EventTarget(), { navigator: { onLine } });
  const connection = createConnection({
    now: () => server.nowMs,
    probe: async () => {
      server.probes += 1;
      if (!server.answers) throw new TypeError('Failed to fetch');
    },
    browser: browser as never,
    random: () => random,
  });
  return { server, browser, connection };
}

test('one missed call does not mark the server as lost while a probe succeeds', async () => {
  const { connection, server } = setUp();
  connection.missed();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.probes).toBe(1);
  expect(connection.lostAtMs.get()).toBeNull();
});

test('an unreachable server is lost since its last response, and is found again by probes', async () => {
  const { connection, server } = setUp();
  server.answers = false;
  connection.missed();
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.lostAtMs.get()).toBe(1_000);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(connection.lostAtMs.get()).toBe(1_000);
  server.answers = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(connection.lostAtMs.get()).toBeNull();
  const probes = server.probes;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.probes).toBe(probes);
});

test('a response ends the probes; the next outage begins with short waits again', async () => {
  const { connection, server } = setUp();
  const probesIn = async (ms: number) => {
    const before = server.probes;
    await vi.advanceTimersByTimeAsync(ms);
    return server.probes - before;
  };
  server.answers = false;
  for (const _outage of [1, 2]) {
    connection.missed();
    await probesIn(0);
    expect(await probesIn(5_000)).toBe(1);
    connection.reached();
    expect(await probesIn(60_000)).toBe(0);
  }
});

test('probes of many pages spread: a wait is up to a quarter shorter', async () => {
  const { connection, server } = setUp(true, 1);
  server.answers = false;
  connection.missed();
  await vi.advanceTimersByTimeAsync(3_749);
  expect(server.probes).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.probes).toBe(2);
});

test('it is recovering for ten seconds after it was lost, and not without a loss', async () => {
  const { connection, server } = setUp();
  connection.reached();
  expect(connection.isRecovering()).toBe(false);
  server.answers = false;
  connection.missed();
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.isRecovering()).toBe(false);
  connection.reached();
  server.nowMs += 9_999;
  connection.reached();
  expect(connection.isRecovering()).toBe(true);
  server.nowMs += 1;
  expect(connection.isRecovering()).toBe(false);
  // A clock that was set back does not make a recovery longer.
  server.nowMs -= 3_600_000;
  expect(connection.isRecovering()).toBe(false);
});

test('several missed calls cause one probe', async () => {
  const { connection, server } = setUp();
  for (let calls = 0; calls < 3; calls += 1) connection.missed();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.probes).toBe(1);
  connection.missed();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.probes).toBe(2);
});

test('an unreachable server is probed less and less often', async () => {
  const { connection, server } = setUp();
  server.answers = false;
  connection.missed();
  await vi.advanceTimersByTimeAsync(0);
  const probes: number[] = [];
  for (let minute = 0; minute < 4; minute += 1) {
    const before = server.probes;
    await vi.advanceTimersByTimeAsync(60_000);
    probes.push(server.probes - before);
  }
  expect(probes).toEqual([3, 2, 1, 2]);
});

test('the browser’s offline event marks the server as lost at once; its online event only starts a probe', async () => {
  const { connection, server, browser } = setUp();
  browser.dispatchEvent(new Event('offline'));
  expect(connection.lostAtMs.get()).toBe(1_000);
  server.answers = false;
  browser.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.lostAtMs.get()).toBe(1_000);
  server.answers = true;
  browser.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.lostAtMs.get()).toBeNull();
});

test('any response shows that the server is back', () => {
  const { connection } = setUp(false);
  expect(connection.lostAtMs.get()).toBe(1_000);
  connection.reached();
  expect(connection.lostAtMs.get()).toBeNull();
});

test('the time of the loss is that of the last response, not that of the missed call', async () => {
  const { connection, server } = setUp();
  connection.reached();
  server.nowMs = 40_000;
  server.answers = false;
  connection.missed();
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.lostAtMs.get()).toBe(1_000);
});
