import { DAY_MS, dayStartMs } from '@cord/contracts/rules/days';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Account, type Entry, newAccount } from '../ledger/account.js';
import { stretches } from '../ledger/accrual.js';
import { epochTable } from '../ledger/epochs.js';
import { antiCheatStep, badgeStep } from '../ledger/factors.js';
import type { SessionRecord } from '../ledger/session-record.js';
import { closeOpen, type Moment, seal, settle } from '../ledger/settle.js';
import { entriesWaiting, sessionsWaiting } from '../ledger/waiting.js';
import { contactStep, expireStep, startStep, stopStep } from '../node/steps.js';
import { factsOf, type Peers } from './facts.js';
import { type Hour, hoursOf } from './hours.js';

const USER = 'c'.repeat(32);
const BEGIN_MS = Date.UTC(2026, 10, 21, 20, 17);
const HOUR_MS = 3_600_000;
/** The rate rises by an epoch, and by a birthday of the tier. */
const EPOCHS = epochTable(1n, [
  {
    id: 'a',
    name: 'a',
    multiplierHundredths: 110,
    startAt: BEGIN_MS + 5 * HOUR_MS + 1_234,
    endAt: BEGIN_MS + 400 * HOUR_MS,
  },
]);
const CREATED_MS = BEGIN_MS - 3 * YEAR_MS + 11 * HOUR_MS;
const AWAY: Peers = { past: null, outages: null };
const FACTORS = [100, 75, 50, 30, 10] as const;

/** An account with what its relay has written by now, and what was true in it. */
interface World {
  account: Account;
  nowMs: number;
  entries: Entry[];
  sessions: SessionRecord[];
  /** Node time with its rate. */
  ran: { fromMs: number; toMs: number; rateNano: bigint; factor: number }[];
  network: { atMs: number; factorHundredths: number; accounts: number }[];
}

const momentOf = ({ nowMs }: World): Moment => ({ nowMs, epochs: EPOCHS, outboxMax: 1_000 });

const ACTS = {
  start: (account: Account, at: Moment) => startStep(account, { sessionId: `s${account.seq}`, addressHash: null }, at),
  save: contactStep,
  stop: stopStep,
  expire: expireStep,
  badge: badgeStep,
  /** As a credit does. */
  close: (account: Account, at: Moment) => {
    const settled = settle(account, at);
    return settled.open.amountMicro === 0n ? account : seal(account, closeOpen(settled, at), at.nowMs, 'now');
  },
} satisfies Record<string, (account: Account, at: Moment) => Account>;

type Act = { waits: number } & ({ act: keyof typeof ACTS } | { factor: (typeof FACTORS)[number] } | { relay: true });

function lived(acts: readonly Act[]): World {
  const world: World = {
    account: newAccount(USER, CREATED_MS, BEGIN_MS),
    ...{ nowMs: BEGIN_MS, entries: [], sessions: [], ran: [], network: [] },
  };
  for (const { waits, ...what } of acts) {
    world.nowMs += waits;
    const at = momentOf(world);
    if ('relay' in what) relayed(world);
    else if ('factor' in what) {
      const { factor } = what;
      world.network.push({ atMs: world.nowMs, factorHundredths: factor, accounts: 1_000 + factor });
      changed(world, antiCheatStep(world.account, world.account.factors.antiCheatSeq + 1n, BigInt(factor), at));
    } else changed(world, ACTS[what.act](world.account, at));
  }
  return world;
}

/** What the step settled was earned at the rates of the account before it. */
function changed(world: World, next: Account): void {
  const { node, factors } = world.account;
  if (node.status === 'active' && next.node.lastAtMs > node.lastAtMs && next !== world.account) {
    for (const stretch of stretches(node.lastAtMs, Math.min(world.nowMs, node.leaseUntilMs), factors, EPOCHS)) {
      world.ran.push({ ...stretch, factor: Number(factors.antiCheatHundredths) });
    }
  }
  world.account = next;
}

function relayed(world: World): void {
  world.entries.push(...entriesWaiting(world.account));
  world.sessions.push(...sessionsWaiting(world.account));
  world.account = { ...world.account, outbox: [], announceSeq: null };
}

/** The hours of each day that the world has lived through, by the store's reads. */
async function hoursIn(world: World, peers: Peers = AWAY): Promise<Hour[]> {
  const at = momentOf(world);
  const account = settle(world.account, at);
  const hours: Hour[] = [];
  for (let dayMs = dayStartMs(BEGIN_MS); dayMs <= world.nowMs; dayMs += DAY_MS) {
    const reads = {
      async minedFrom(_of: object, fromMs: number, untilMs: number) {
        const from = world.entries.filter(({ atMs }) => atMs >= fromMs);
        const after = from.findIndex(({ atMs }) => atMs > untilMs);
        return after === -1 ? from : from.slice(0, after + 1);
      },
      async sessionsTo(_userId: string, fromMs: number, belowMs: number) {
        const before = world.sessions.filter(({ startedAtMs }) => startedAtMs < belowMs).reverse();
        const first = before.findIndex(({ startedAtMs }) => startedAtMs < fromMs);
        return first === -1 ? before : before.slice(0, first + 1);
      },
    };
    hours.push(...hoursOf(await factsOf({ account, moment: at }, dayMs, reads, peers), 1_000));
  }
  return hours;
}

const waits = fc.integer({ min: 1_000, max: 10 * HOUR_MS });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ waits, act: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])) }),
  fc.record({ waits, act: fc.constantFrom('start' as const, 'save' as const) }),
  fc.record({ waits, factor: fc.constantFrom(...FACTORS) }),
  fc.record({ waits, relay: fc.constant(true as const) }),
);

describe('the hours of an account’s history', () => {
  test('add up to all mining and all node time, with the rate and the network cut of each moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 40 }), async (acts) => {
        const world = lived([{ waits: 1_000, act: 'start' }, ...acts]);
        const { network } = world;
        const hours = await hoursIn(world, { past: { signIns: [], network }, outages: { outages: [] } });
        const { totals, node } = settle(world.account, momentOf(world));
        expect(hours.reduce((sum, { minedMicro }) => sum + minedMicro, 0n)).toBe(totals.bySource.mining ?? 0n);
        expect(hours.reduce((sum, { ranMs }) => sum + ranMs, 0)).toBe(node.ranMs);
        const parts = hours.flatMap((each) => each.parts);
        for (const { fromMs, toMs, rateNano, factor } of world.ran) {
          const atMs = Math.floor((fromMs + toMs) / 2);
          const part = parts.find((each) => each.fromMs <= atMs && atMs < each.toMs);
          expect(part).toMatchObject({ state: 'ran', rateNano });
          expect(part?.cut ?? null).toEqual(
            factor === 100 ? null : { factorHundredths: factor, accounts: 1_000 + factor },
          );
        }
      }),
    );
  });

  test('are the same before and after the relay writes, and while its outbox is not emptied yet', async () => {
    const acts: Act[] = [
      { waits: 1_000, act: 'start' },
      { waits: 3 * HOUR_MS, act: 'close' },
      { waits: 2 * HOUR_MS, factor: 50 },
      { waits: 2 * HOUR_MS, act: 'stop' },
      { waits: HOUR_MS, act: 'start' },
      { waits: 11 * HOUR_MS, act: 'expire' },
    ];
    const waiting = lived(acts);
    const before = await hoursIn(waiting);
    const full = { ...waiting.account };
    relayed(waiting);
    expect(await hoursIn(waiting)).toEqual(before);
    expect(await hoursIn({ ...waiting, account: full })).toEqual(before);
    expect(before.flatMap(({ parts }) => parts).filter(({ state }) => state === 'lease-over')).not.toEqual([]);
  });

  test('report an ended lease even when a full outbox delays the pause', async () => {
    const world = lived([{ waits: 1_000, act: 'start' }]);
    world.nowMs += 9 * HOUR_MS;
    const at = { ...momentOf(world), outboxMax: 1 };
    const account = settle(world.account, at);
    expect(account.node.status).toBe('active');
    const reads = { minedFrom: async () => [], sessionsTo: async () => [] };
    const hours = hoursOf(await factsOf({ account, moment: at }, dayStartMs(world.nowMs), reads, AWAY));
    expect(hours[5]?.parts.map(({ state }) => state)).toEqual(['lease-over', 'to-come']);
  });
});
