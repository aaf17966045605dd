import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BucketHead, headAfter, type Line, moveOf } from './sums.js';

const line = (seq: bigint, countedMicro: bigint, returned = false): Line => ({ seq, countedMicro, returned });
const EMPTY = { seq: 0n, size: 0, friends: 0, sumMicro: 0n };

test('a bucket is the sum of its lines, in any order and with duplicates', () => {
  const passed = fc.record({ id: fc.constantFrom('a', 'b', 'c'), seq: fc.bigInt({ min: 1n, max: 9n }) });
  fc.assert(
    fc.property(fc.array(passed, { maxLength: 40 }), (all) => {
      const lines: Record<string, Line> = {};
      let head: Omit<BucketHead, 'line'> = EMPTY;
      const newest: Record<string, bigint> = {};
      for (const { id, seq } of all) {
        const move = moveOf({ line: lines[id] ?? null }, line(seq, seq * 7n));
        if (move) head = headAfter(head, move);
        if (move) lines[id] = move.line;
        if (seq > (newest[id] ?? 0n)) newest[id] = seq;
      }
      const sumMicro = Object.values(newest).reduce((sum, seq) => sum + seq * 7n, 0n);
      const size = Object.keys(newest).length;
      expect([head.sumMicro, head.size, head.friends]).toEqual([sumMicro, size, size]);
    }),
  );
});

test('a friend who returned after an erasure is not counted, and gets no line without an amount', () => {
  expect(moveOf({ line: null }, line(1n, 0n, true))).toBeNull();
  expect(moveOf({ line: line(1n, 5n) }, line(2n, 5n, true))).toMatchObject({ friends: -1, size: 0, sumMicro: 0n });
});

test('an equal amount or an older record changes nothing', () => {
  expect(moveOf({ line: line(5n, 100n) }, line(8n, 100n))).toBeNull();
  expect(moveOf({ line: line(5n, 100n) }, line(4n, 90n))).toBeNull();
});
