import type { lookup } from 'node:dns';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAllowed, isPrivate, publicLookup } from './hosts.js';
import { isQuiet } from './quiet.js';

const RULES = { names: ['fcm.googleapis.com', '*.push.example', 'localhost:8443'], allowsLoopback: false };

test.each([
  ['https://fcm.googleapis.com/fcm/send/x', true],
  ['https://a.b.push.example/x', true],
  ['https://push.example/x', false],
  ['https://evilpush.example/x', false],
  ['https://fcm.googleapis.com.evil.example/x', false],
  ['https://fcm.googleapis.com:8443/x', false],
  ['https://localhost:8443/x', true],
  ['https://localhost/x', false],
  ['https://user:secret@fcm.googleapis.com/x', false],
  ['http://fcm.googleapis.com/x', false],
  ['https://169.254.169.254/x', false],
  ['https://[::1]:8443/x', false],
  ['fcm.googleapis.com', false],
])('a push to %s is allowed: %s', (endpoint, allowed) => {
  expect(isAllowed(endpoint, RULES)).toBe(allowed);
});

test.each([
  [['142.250.1.1'], false, false],
  [['10.0.0.7'], false, true],
  [['142.250.1.1', '127.0.0.1'], false, true],
  [['169.254.169.254'], true, true],
  [['::ffff:192.168.1.1'], false, true],
  [['fd00::1'], true, true],
  [['2607:f8b0::5'], false, false],
  [['127.0.0.1'], true, false],
  [['100.64.0.1'], false, true],
])('a host that resolves to %s, with loopback allowed: %s, is private: %s', async (found, allowsLoopback, isIn) => {
  const find = ((_host: string, _options: object, done: (error: null, all: object[]) => void) =>
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;
  const rules = { ...RULES, allowsLoopback };
  expect(await isPrivate('https://fcm.googleapis.com/x', rules, find)).toBe(isIn);
  const connects = await new Promise((resolve) => {
    publicLookup(rules, find)('fcm.googleapis.com', {}, (error, address) => resolve(error ? null : address));
  });
  expect(connects).toBe(isIn ? null : found[0]);
});

test('quiet hours follow the time of day in their zone, over midnight and every change of its clocks', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Chatham', 'Asia/Kathmandu'];
  const minute = fc.integer({ min: 0, max: 1_439 });
  const text = (minutes: number) =>
    [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  const year = { min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) };
  fc.assert(
    fc.property(minute, minute, fc.constantFrom(...zones), fc.integer(year), (from, to, zone, nowMs) => {
      const parts = new Date(nowMs).toLocaleTimeString('sv', { timeZone: zone }).split(':').map(Number);
      const now = (parts[0] ?? 0) * 60 + (parts[1] ?? 0);
      // On the dial: as far from the beginning as now is, before the end comes.
      const after = (at: number) => (at - from + 1_440) % 1_440;
      expect(isQuiet({ from: text(from), to: text(to), zone }, nowMs)).toBe(after(now) < after(to));
    }),
  );
  expect(isQuiet({ from: '23:00', to: '07:00', zone: 'Moon/Sea' }, Date.UTC(2026, 10, 27, 23, 30))).toBe(true);
  expect(isQuiet(null, 0)).toBe(false);
});
