import { describe, expect, it } from 'vitest';
import { awaitAll, inBatches } from './batches.js';

/** Due numbers; a processed one disappears unless it fails. */
function numbers(
  count: number,
  fails: (one: number) => boolean = () => false,
  stays: (one: number) => boolean = () => false,
) {
  const left = Array.from({ length: count }, (_, n) => n);
  const reads: number[] = [];
  let leases = 0;
  return {
    left,
    reads,
    leases: () => leases,
    run: (isOurs = true) =>
      inBatches(
        {
          lease: async () => {
            leases += 1;
            return isOurs;
          },
        },
        3,
        () => ({
          read: async (limit, takes) => {
            reads.push(limit);
            return left.map(String).filter(takes).slice(0, limit);
          },
          each: async (id) => {
            const one = Number(id);
            await Promise.resolve();
            if (stays(one)) return 'left';
            if (fails(one)) throw new Error(`${one} fails`);
            return left.splice(left.indexOf(one), 1);
          },
        }),
      ),
  };
}

describe('work in batches', () => {
  it('continues while batches are full, and requests its lease before each', async () => {
    const work = numbers(7);
    await work.run();
    expect([work.left, work.reads, work.leases()]).toEqual([[], [1, 3, 1, 3, 1, 3], 3]);
  });

  it('takes no lease when nothing is due, and reads no batch without one', async () => {
    const nothing = numbers(0);
    await nothing.run();
    const anothers = numbers(4);
    await anothers.run(false);
    await inBatches({ lease: async () => expect.fail('no lease is acquired') }, 3, () => null);
    expect([nothing.leases(), anothers.leases(), anothers.reads]).toEqual([0, 1, [1]]);
  });

  it('is not blocked by items that fail, even a whole batch of them, and the run fails in the end', async () => {
    const work = numbers(9, (one) => one < 4);
    await expect(work.run()).rejects.toThrow('0 fails');
    expect(work.left).toEqual([0, 1, 2, 3]);
  });

  it('is not blocked by items that are left, and does not fail for them', async () => {
    const work = numbers(9, undefined, (one) => one < 4);
    await work.run();
    expect(work.left).toEqual([0, 1, 2, 3]);
  });
});

it('awaitAll waits for all before it rejects', async () => {
  let through = false;
  const slow = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    through = true;
  });
  await expect(awaitAll([Promise.reject(new Error('first')), slow])).rejects.toThrow('first');
  expect([through, await awaitAll([Promise.resolve(1), Promise.resolve(2)])]).toEqual([true, [1, 2]]);
});
