import { expect, test } from 'vitest';
import { createServerClock, serverTimeInBody, serverTimeInHeaders } from './server-clock';

function setUp(localMs = 1_000_000) {
  const local = { nowMs: localMs };
  return { local, clock: createServerClock(() => local.nowMs) };
}

test('the clock never runs ahead of the server, however slow the response was', () => {
  const { local, clock } = setUp();
  // The response was written at 5,000,000 and took up to 2 s to arrive, so the server may be up to 2 s further.
  clock.observe({ serverMs: 5_000_000, resolutionMs: 1, sentMs: local.nowMs - 2_100, receivedMs: local.nowMs });
  expect(clock.now()).toBe(5_000_000);
  local.nowMs += 1_500;
  expect(clock.now()).toBe(5_001_500);
});

test('a faster response brings the clock closer to the server', () => {
  const { local, clock } = setUp();
  clock.observe({ serverMs: 5_000_000, resolutionMs: 1, sentMs: local.nowMs - 3_000, receivedMs: local.nowMs });
  local.nowMs += 1_000;
  clock.observe({ serverMs: 5_003_900, resolutionMs: 1, sentMs: local.nowMs - 20, receivedMs: local.nowMs });
  expect(clock.now()).toBe(5_003_900);
});

test('a device that slept, or whose clock was set, is right again after one response', () => {
  const { local, clock } = setUp();
  clock.observe({ serverMs: 5_000_000, resolutionMs: 1, sentMs: local.nowMs, receivedMs: local.nowMs });
  local.nowMs += 7_200_000;
  clock.observe({ serverMs: 5_000_500, resolutionMs: 1, sentMs: local.nowMs - 10, receivedMs: local.nowMs });
  expect(clock.now()).toBe(5_000_500);
});

test('the Date header of a proxy does not override the time of a service', () => {
  const { local, clock } = setUp();
  clock.observe({ serverMs: 5_000_000, resolutionMs: 1_000, sentMs: local.nowMs, receivedMs: local.nowMs });
  clock.observe({ serverMs: 90_000_000, resolutionMs: 1, sentMs: local.nowMs, receivedMs: local.nowMs });
  clock.observe({ serverMs: 5_000_000, resolutionMs: 1_000, sentMs: local.nowMs, receivedMs: local.nowMs });
  expect(clock.now()).toBe(90_000_000);
});

test('the server time is read from a header, a record, and the session or user inside a body', () => {
  const at = '2026-11-21T11:03:17.250Z';
  expect(serverTimeInHeaders(new Headers({ date: 'Sat, 21 Nov 2026 11:03:17 GMT' }))).toEqual({
    serverMs: Date.parse('2026-11-21T11:03:17Z'),
    resolutionMs: 1_000,
  });
  expect(serverTimeInHeaders(new Headers())).toBeNull();
  expect(serverTimeInBody({ serverTime: at })).toBe(Date.parse(at));
  expect(serverTimeInBody({ session: { serverTime: at } })).toBe(Date.parse(at));
  expect(serverTimeInBody({ user: { serverTime: at } })).toBe(Date.parse(at));
  expect(serverTimeInBody({ session: null })).toBeNull();
  expect(serverTimeInBody([1])).toBeNull();
});
