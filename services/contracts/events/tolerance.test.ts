import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { accountReply, creditReply, creditRequest } from '../rpc/ledger.js';
import { type EventKind, NOBODY } from './envelope.js';
import { EVENTS } from './index.js';
import { THINGS_OF_ALL } from './streams.js';
import { account, LARGEST, USER } from './test/largest.js';

/** Adds a newer release's field to each object in a value. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (value === null || typeof value !== 'object') return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withMore(one)]));
  return 'mining' in inner ? { ...inner, staking: '7' } : { ...inner, addedLater: { deep: ['x'] } };
}

const eventOf = ({ thing, verb }: EventKind) => ({
  v: 1,
  id: 'm1',
  at: 1,
  userId: THINGS_OF_ALL.includes(thing) ? NOBODY : USER,
  seq: '1',
  ...LARGEST[`${thing}.${verb}`],
});

describe.each(EVENTS.map((kind) => [`${kind.thing}.${kind.verb}`, kind] as const))('%s', (_name, kind) => {
  const schema: z.ZodType = kind.schema;

  test('of this release is parsed', () => {
    expect(schema.parse(eventOf(kind))).toMatchObject(eventOf(kind));
  });

  test('of a newer release is parsed, whatever it adds and wherever', () => {
    const newer = { ...(withMore(eventOf(kind)) as object), v: 2 };
    expect(schema.parse(newer)).toMatchObject({ ...eventOf(kind), v: 2 });
  });
});

describe('a value unknown to this release', () => {
  test.each([
    ['a source', 'balance.changed', { bySource: { mining: '5', staking: '7' } }],
    ['a state of the node', 'balance.changed', { node: { ...account.node, status: 'draining' } }],
    ['a kind of claim', 'claim.made', { kind: 'anniversary' }],
    ['a level of the network check', 'anticheat.assessed', { level: 5 }],
  ])('%s is kept unchanged', (_what, name, given) => {
    const kind = EVENTS.find((one) => `${one.thing}.${one.verb}` === name) as EventKind;
    expect(kind.schema.parse({ ...eventOf(kind), ...given })).toMatchObject(given);
  });
});

test('replies are parsed as tolerantly as events, but requests that move money stay strict', () => {
  const factors = {
    discordCreatedAt: 1,
    tierHundredths: 100,
    antiCheatHundredths: 100,
    badge: false,
    epochHundredths: 100,
    rateNano: '1',
  };
  const reply = { ...account, userId: USER, seq: '1', factors, erased: false };
  expect(accountReply.parse(withMore(reply))).toMatchObject(reply);
  const credited = { key: 'checkin:1', replayed: false, amountMicro: '5', balanceMicro: '5', seq: '1', at: 1 };
  expect(creditReply.parse(withMore(credited))).toMatchObject(credited);
  const credit = { userId: USER, key: 'checkin:1', source: 'checkin', amountMicro: '5', reason: '' };
  expect(creditRequest.safeParse(credit).success).toBe(true);
  expect(creditRequest.safeParse({ ...credit, source: 'staking' }).success).toBe(false);
});
