import { expect, test } from 'vitest';
import { contactStep, startStep, stopStep } from '../node/steps.js';
import { type Account, newAccount } from './account.js';
import { createEpochsInUse } from './epochs-in-use.js';
import type { Moment } from './settle.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];

/** A contact from an address, and how long the node ran before it, ms. */
type Visit = readonly [address: string, ms: number];

/** What a reader of all node events adds up by address, the true time there, and the most addresses that one event carried. */
function walk(visits: readonly Visit[]) {
  const epochs = createEpochsInUse().table();
  const [truth, counts] = [new Map<string, number>(), new Map<string, number>()];
  let [nowMs, most, events] = [NOON_MS, 0, 0];
  const moment = (): Moment => ({ nowMs, epochs });
  /** Reads what was published and empties the outbox, as the relay does. */
  const relayed = (account: Account): Account => {
    for (const item of account.outbox) {
      if (item.kind !== 'node') continue;
      events += 1;
      most = Math.max(most, item.addresses?.length ?? 0);
      for (const { hash, fromRanMs, ms } of item.addresses ?? []) counts.set(`${hash}@${fromRanMs}`, ms);
    }
    return { ...account, outbox: [] };
  };
  const [first] = visits;
  let account = newAccount('u', 0, nowMs);
  account = relayed(startStep(account, { sessionId: 's', addressHash: first?.[0] ?? null }, moment()));
  let at = first?.[0] ?? '';
  for (const [address, ms] of visits) {
    nowMs += ms;
    truth.set(at, (truth.get(at) ?? 0) + ms);
    account = relayed(contactStep(account, moment(), address));
    at = address;
  }
  relayed(stopStep(account, moment()));
  const added = new Map<string, number>();
  for (const [count, ms] of counts) {
    const [hash = ''] = count.split('@');
    added.set(hash, (added.get(hash) ?? 0) + ms);
  }
  for (const [hash, ms] of added) if (ms === 0) added.delete(hash);
  return { truth, added, most, events };
}

/** So many addresses in turn, so many visits, the next one of a round of them longer by a little. */
function inTurn(addresses: number, visits: number, ms: number, growsMs = 0): Visit[] {
  return Array.from({ length: visits }, (_, n) => [`a${n % addresses}`, ms + Math.floor(n / addresses) * growsMs]);
}

test.each([
  ['eight in turn', inTurn(8, 400, 20 * MINUTE_MS)],
  ['nine in turn, each visit of a round a second longer than before', inTurn(9, 400, 20 * MINUTE_MS, SECOND_MS)],
  ['nine in turn, each visit shorter than before', inTurn(9, 400, HOUR_MS, -SECOND_MS)],
  ['sixty in turn, each for ten seconds', inTurn(60, 2_000, 10 * SECOND_MS)],
  ['twenty in turn, a minute each', inTurn(20, 500, MINUTE_MS)],
  ['two hundred in turn, a second each', inTurn(200, 3_000, SECOND_MS)],
])('node events contain all time at each address: %s', (_name, visits) => {
  const { truth, added } = walk(visits);
  expect(added).toEqual(truth);
});

test('an event carries at most sixteen addresses, and quick changes publish no more events than that needs', () => {
  const { most, events } = walk(inTurn(200, 3_000, SECOND_MS));
  expect(most).toBe(16);
  expect(events).toBeLessThanOrEqual(2 + Math.ceil(3_000 / 15));
  // Within sixteen addresses in ten minutes nothing is published but each ten minutes.
  expect(walk(inTurn(12, 600, 10 * SECOND_MS)).events).toBeLessThanOrEqual(2 + 10);
});
