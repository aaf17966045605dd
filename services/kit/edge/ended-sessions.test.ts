import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EndedSessions, isPackable, packSessions } from './ended-sessions.js';

const MOST = 10_000;
const idOf = (n: number, home: number) => home.toString(16).padStart(8, '0') + n.toString(16).padStart(24, '0');

test('ended sessions are those that were added and not deleted since', () => {
  const id = fc.nat(30).map((n) => idOf(n, n % 3));
  const step = fc.record({ id, comes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const ended = new EndedSessions();
      for (const { id: made, comes } of steps) {
        if (comes) ended.addPacked(packSessions([made]), MOST);
        else ended.delete(made);
      }
      const last = new Map(steps.map(({ id: made, comes }) => [made, comes]));
      for (const [made, isThere] of last) expect(ended.has(made)).toBe(isThere);
      expect(ended.size).toBe([...last.values()].filter(Boolean).length);
    }),
  );
});

test('many sessions are added in one piece, and no others are found', () => {
  const ids = Array.from({ length: 5_000 }, () => randomBytes(16).toString('hex'));
  const ended = new EndedSessions();
  expect(ended.addPacked(packSessions(ids), MOST)).toBe(true);
  expect(ended.addPacked(packSessions(ids), MOST)).toBe(true);
  expect(ended.size).toBe(ids.length);
  for (const id of ids) expect(ended.has(id)).toBe(true);
  for (const id of ids.slice(0, 500))
    expect(ended.has(`${id.slice(0, 30)}${id.endsWith('00') ? '11' : '00'}`)).toBe(false);
});

test('an id that cannot be packed is never found, and nothing is added beyond the maximum', () => {
  const ended = new EndedSessions();
  const ids = [1, 2, 3].map((n) => idOf(n, n));
  expect(ended.addPacked(packSessions(ids), 2)).toBe(false);
  expect(ended.size).toBe(2);
  for (const id of ['', 'a', idOf(1, 1).toUpperCase().replace(/^0/, 'G'), `${idOf(1, 1)}0`]) {
    expect(isPackable(id)).toBe(false);
    expect(ended.has(id)).toBe(false);
    ended.delete(id);
  }
  expect(ended.size).toBe(2);
});
