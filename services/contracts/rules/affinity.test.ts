import { describe, expect, test } from 'vitest';
import { generalSubject, ownerOf, PARTITIONS, partitionOf, partitionSubject } from './affinity.js';

const users = Array.from({ length: 6_400 }, (_, n) => n.toString(16).padStart(32, '0'));
const partitions = Array.from({ length: PARTITIONS }, (_, n) => n);
const counts = (of: readonly number[]) => [...new Set(of)].map((one) => of.filter((other) => other === one).length);

describe('the distribution of users to replicas', () => {
  test('spreads users over all partitions, and never changes', () => {
    const found = counts(users.map(partitionOf));
    expect(found).toHaveLength(PARTITIONS);
    expect(Math.max(...found)).toBeLessThan(160);
    expect(['0'.repeat(32), 'f'.repeat(32), 'a1'.repeat(16)].map(partitionOf)).toEqual([39, 14, 28]);
  });
  test.each([2, 3, 4, 8])('gives %d replicas about the same share, in whatever order they are listed', (count) => {
    const replicas = Array.from({ length: count }, (_, n) => n);
    const owners = partitions.map((one) => ownerOf(one, replicas) ?? -1);
    expect(owners).toEqual(partitions.map((one) => ownerOf(one, [...replicas].reverse())));
    const shares = counts(owners);
    expect(shares).toHaveLength(count);
    expect(Math.max(...shares)).toBeLessThanOrEqual((2 * PARTITIONS) / count);
  });
  test('moves only the users of a replica that leaves', () => {
    const before = partitions.map((one) => ownerOf(one, [0, 1, 2, 3]));
    const after = partitions.map((one) => ownerOf(one, [0, 1, 3]));
    for (const one of partitions) if (before[one] !== 2) expect(after[one]).toBe(before[one]);
    expect(after).not.toContain(2);
  });
  test('has no owner without a replica', () => {
    expect(ownerOf(7, [])).toBeUndefined();
  });
  test('gives each partition a subject below the general one', () => {
    for (const one of [0, 63])
      expect(generalSubject(partitionSubject('cord.rpc.v1.x.tasks', one))).toBe('cord.rpc.v1.x.tasks');
    expect(generalSubject('cord.rpc.v1.x.payer')).toBe('cord.rpc.v1.x.payer');
  });
});
