import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Walk } from '../domain/orders.js';
import { nextStep, WALK_START, type WalkBounds } from './reference-walk.js';

/** A network with a growing list for a reference; it may lose a position, like a node that is behind. */
function listing(count: number) {
  const all = Array.from({ length: count }, (_, n) => `s${n}`);
  const network = {
    all,
    requests: 0,
    forgets: false,
    async signaturesOf(_reference: string, { before, limit }: { before: string | null; limit: number }) {
      network.requests += 1;
      const newest = [...all].reverse();
      if (before === null) return newest.slice(0, limit);
      const at = newest.indexOf(before);
      return at === -1 || network.forgets ? [] : newest.slice(at + 1, at + 1 + limit);
    },
  };
  return network;
}

const LOOKS_MAX = 10_000;

/** Walks until no known transaction is left. @returns the signatures passed, in order, and the largest request and result of one look */
async function walked(
  network: ReturnType<typeof listing>,
  bounds: WalkBounds,
  between: (look: number) => void = () => undefined,
  start: Walk = WALK_START,
) {
  let walk = start;
  const passed: string[] = [];
  let [requests, found] = [0, 0];
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const before = network.requests;
    const step = await nextStep(network, 'reference', walk, bounds);
    requests = Math.max(requests, network.requests - before);
    found = Math.max(found, step.found.length);
    for (const signature of step.found) {
      step.passed(signature, false);
      passed.push(signature);
    }
    // Passes the walk through its stored form.
    walk = JSON.parse(JSON.stringify(step.walk()));
    expect(step.isAllJudged()).toBe(!step.more());
    if (!step.more()) return { walk, passed, requests, found };
    between(look);
  }
  throw new Error('the walk does not end');
}

const bounds = fc.record({
  page: fc.integer({ min: 2, max: 7 }),
  pages: fc.integer({ min: 1, max: 3 }),
  judged: fc.integer({ min: 1, max: 5 }),
});

describe('the walk over the transactions of a reference', () => {
  test.each([
    [{ page: 2, pages: 1, judged: 1 }, 40],
    [{ page: 100, pages: 1, judged: 20 }, 140],
    [{ page: 1_000, pages: 4, judged: 20 }, 5_000],
  ])('visits all, oldest first, within its bounds: %o of %d', async (given, count) => {
    const network = listing(count);
    const { passed, requests, found } = await walked(network, given);
    expect(passed).toEqual(network.all);
    expect(requests).toBeLessThanOrEqual(given.pages);
    expect(found).toBeLessThanOrEqual(given.judged);
  });

  test('skips none and visits none twice, whatever arrives meanwhile and with any bounds', async () => {
    await fc.assert(
      fc.asyncProperty(bounds, fc.nat(40), fc.array(fc.nat(3), { maxLength: 30 }), async (given, count, arrivals) => {
        const network = listing(count);
        const grow = (look: number) => {
          for (let n = 0; n < (arrivals[look] ?? 0); n += 1) network.all.push(`s${network.all.length}`);
        };
        const first = await walked(network, given, grow);
        const rest = await walked(network, given, undefined, first.walk);
        expect([...first.passed, ...rest.passed]).toEqual(network.all);
      }),
    );
  });

  test('starts over when a node does not know its position, instead of ending the list', async () => {
    const given = { page: 3, pages: 1, judged: 2 };
    const network = listing(9);
    const down = (await nextStep(network, 'reference', WALK_START, given)).walk();
    expect(down.above).toEqual({ before: 's7', last: 's6' });
    network.forgets = true;
    const lost = await nextStep(network, 'reference', down, given);
    expect([lost.found, lost.more(), lost.walk()]).toEqual([[], true, WALK_START]);
    network.forgets = false;
    expect((await walked(network, given, undefined, lost.walk())).passed).toEqual(network.all);
  });

  test('keeps undecided transactions in bounded room, and waits when none is left', async () => {
    const network = listing(3);
    const given = { page: 10, pages: 1, judged: 2 };
    const step = await nextStep(network, 'reference', WALK_START, given);
    for (const signature of step.found) step.passed(signature, true);
    expect(step.walk()).toEqual({ floor: 's1', above: null, undecided: ['s0', 's1'] });
    const full = await nextStep(network, 'reference', step.walk(), given);
    expect([full.found, full.more(), full.isAllJudged()]).toEqual([[], false, false]);
    const next = await nextStep(network, 'reference', { ...step.walk(), undecided: ['s1'] }, given);
    expect(next.found).toEqual(['s2']);
  });

  test('stops at a transaction that is not passed, and resumes there', async () => {
    const network = listing(4);
    const given = { page: 10, pages: 1, judged: 4 };
    const step = await nextStep(network, 'reference', WALK_START, given);
    step.passed('s0', false);
    expect([step.walk().floor, step.more(), step.isAllJudged()]).toEqual(['s0', false, false]);
    expect((await nextStep(network, 'reference', step.walk(), given)).found).toEqual(['s1', 's2', 's3']);
  });
});
