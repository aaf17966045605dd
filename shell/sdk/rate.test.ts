import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { expect, test } from 'vitest';
import { rateOf } from './rate';
import { sampleMining, sampleUser } from './testing';

const user = sampleUser();
const epoch = { rewardsMultiplier: 1.1 };

test('the strands of a rate add up to it, and the factors multiply to it', () => {
  const rate = rateOf({ session: sampleMining(), user, book: FIRST_BOOK, epoch });
  expect(rate.perMinute).toBe(1.925);
  expect(rate.strands.reduce((sum, { adds }) => sum + adds, 0)).toBeCloseTo(1.925, 9);
  expect(rate.factor).toBeCloseTo(3.85, 9);
  expect(rate.adds).toEqual({ base: 0.5, age: 1.25, epoch: 0.175, badge: 0 });
});

test('the rate of a running node is explained by the node’s own factors, not by the record’s', () => {
  const session = sampleMining({ factors: { tier: 5, antiCheat: 0.5, badge: true, epoch: 1, epochId: null } });
  const rate = rateOf({ session, user, book: FIRST_BOOK, epoch });
  expect(rate.perMinute).toBe(1.3125);
  expect(rate.strands.find(({ key }) => key === 'antiCheat')).toMatchObject({ factor: 0.5, adds: -1.3125 });
});

test('without a node, the rate is what a start would bring', () => {
  const rate = rateOf({ session: null, user: sampleUser({ hasbadgeofhonor: true }), book: FIRST_BOOK, epoch });
  expect(rate.perMinute).toBe(2.02125);
  expect(rate.strands.map(({ key, active }) => [key, active])).toEqual([
    ['base', true],
    ['age', true],
    ['epoch', true],
    ['badge', true],
    ['antiCheat', false],
  ]);
});

test('with an unknown epoch, its factor is what remains of the record’s rate', () => {
  expect(
    rateOf({ session: null, user, book: FIRST_BOOK, epoch: null }).strands.find(({ key }) => key === 'epoch')?.factor,
  ).toBe(1.1);
  const unknown = sampleUser({ rate: null });
  expect(rateOf({ session: null, user: unknown, book: FIRST_BOOK, epoch: null }).perMinute).toBe(1.75);
});

test('the rate of a paused node is what a start would bring, as without a node', () => {
  const factors = { tier: 5, antiCheat: 0.5, badge: true, epoch: 1, epochId: null };
  const paused = sampleMining({ status: 'paused', factors, rate: 1.3125 });
  expect(rateOf({ session: paused, user, book: FIRST_BOOK, epoch })).toEqual(
    rateOf({ session: null, user, book: FIRST_BOOK, epoch }),
  );
});
