import { userErased } from '@cord/contracts/events/user';
import type { Correction } from '@cord/contracts/http/corrections';
import { createLeases } from '@cord/kit/lease';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCorrections } from './corrections.js';
import { NO_EPOCHS } from './ledger/epochs.js';
import { createLedger, type Ledger } from './ledger/ledger.js';
import type { LedgerBus } from './ledger/ports.js';
import { createLedgerStore } from './store/ledger-store.js';
import { CORD, correctionDesk } from './test/corrections.js';
import { DAY_MS, eventually, startFixture } from './test/fixture.js';

const mining = forAllTests(() => startFixture({ replicas: 2 }));
const desk = correctionDesk(mining);
const { decide } = desk;
let proposer: string;
let second: string;

beforeAll(async () => {
  // The replicas' own sweeps would book what these tests have under way: it is swept where a test does it (`sweep`).
  const lease = await createLeases(mining.store, mining.clock).acquire('corrections', DAY_MS);
  expect(lease).not.toBeNull();
  [proposer, second] = [await desk.operator(), await desk.operator()];
});

const propose = (userId: string, amount: number) => desk.propose(proposer, userId, { amount, reason: 'Paid twice' });
const shown = async (state: Correction['state'], id: string) =>
  (await desk.list(second, state)).find((one) => one.id === id);
const userWith = async (cord: bigint) => (await desk.userWith(cord)).id;
async function proposed(userId: string, amount: number): Promise<string> {
  const { status, body } = await propose(userId, amount);
  expect(status).toBe(201);
  return body.id;
}
/** Corrections of a further process, whose ledger differs in some calls. What it writes is relayed by the replicas. */
function process(changed: (own: Ledger) => Partial<Ledger> = () => ({})) {
  const own = createLedger({
    store: createLedgerStore(mining.store),
    bus: {} as LedgerBus,
    nowMs: () => mining.clock.now(),
    epochs: () => NO_EPOCHS,
    busIsUp: () => false,
  });
  return createCorrections({ store: mining.store, ledger: { ...own, ...changed(own) }, clock: mining.clock });
}
/** As a replica does it every few seconds. @throws what the ledger refuses of it */
const sweep = () => process().bookDue({ lease: async () => true });
/** A process that ends before it books, or before it ends a withdrawal. */
const dying = () => {
  const died = () => Promise.reject(new Error('died'));
  return process(() => ({ credit: died, isCredited: died }));
};
/** A point that a call has come to and waits at. */
function gate() {
  let [isReached, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => (isReached = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const wait = () => {
    isReached();
    return opened;
  };
  return { wait, reached, open: () => open() };
}
/** How it is stored, and how often it stands in the ledger. */
async function outcomeOf(userId: string, id: string) {
  const one = await mining.stored.corrections.findOne({ _id: id });
  await mining.clock.advance(1);
  await mining.audit();
  const key = `correction:${userId}:${id}`;
  const account = await mining.stored.accounts.findOne({ _id: userId });
  const keys = [
    ...(await mining.stored.entries.find({ userId }).toArray()).map(({ _id }) => _id),
    ...(account?.outbox ?? []).map((item) => item.key),
  ];
  return { status: one?.status, isDue: one?.dueAtMs !== undefined, isBooked: new Set(keys).has(key) };
}
const BOOKED = { status: 'confirmed', isDue: false, isBooked: true };
const WITHDRAWN = { status: 'withdrawn', isDue: false, isBooked: false };

describe('a confirmed correction that is not yet in the ledger', () => {
  test('counts when the next one is proposed or confirmed: two together never take the balance below zero', async () => {
    const user = await userWith(10n);
    const [first, later] = [await proposed(user, -6), await proposed(user, -6)];
    await dying().decide(first, 'confirmed', second);
    expect(await propose(user, -4.000001)).toMatchObject({ status: 400, problem: { errors: [{ path: 'amount' }] } });
    expect(await decide(second, later, 'confirm')).toMatchObject({
      status: 409,
      problem: { type: 'balance-too-low' },
    });
    // What adds is taken all the same, and what both leave room for.
    await proposed(user, 1);
    await proposed(user, -4);
  });

  test('counts once while its entry is booked but its record does not show it yet', async () => {
    const user = await userWith(10n);
    const id = await proposed(user, -6);
    const { wait, reached, open } = gate();
    const booking = process(({ credit }) => ({
      credit: async (...request) => {
        const credited = await credit(...request);
        await wait();
        return credited;
      },
    }));
    const booked = booking.book((await dying().decide(id, 'confirmed', second))!);
    await reached;
    expect(await propose(user, -4.000001)).toMatchObject({ status: 400, problem: { errors: [{ path: 'amount' }] } });
    const next = await proposed(user, -4);
    expect(await decide(second, next, 'confirm')).toMatchObject({ status: 200, body: { booked: true } });
    open();
    await booked;
    expect(await mining.balanceMicro(user)).toBe(0n);
  });

  test('can be withdrawn for good by an operator once it no longer fits', async () => {
    const user = await userWith(10n);
    const [first, later] = [await proposed(user, -6), await proposed(user, -6)];
    // Two operators who confirm at the same moment: neither sees the other's decision.
    for (const id of [first, later]) await dying().decide(id, 'confirmed', second);
    await expect(sweep()).rejects.toMatchObject({ type: 'below-zero' });
    const left = (await shown('confirmed', first))?.booked ? later : first;
    expect(await shown('confirmed', left)).toMatchObject({ booked: false });
    const withdrawn = { status: 200, body: { id: left, state: 'withdrawn', decidedBy: proposer, booked: false } };
    expect(await decide(proposer, left, 'withdraw', 1)).toMatchObject(withdrawn);
    expect(await decide(proposer, left, 'withdraw')).toMatchObject(withdrawn);
    expect(await decide(second, left, 'withdraw')).toMatchObject({ status: 409 });
    expect((await desk.actsOn(user)).filter(({ action }) => action === 'correction.withdrawn')).toEqual([
      { action: 'correction.withdrawn', adminId: proposer, correctionId: left, amount: -6, reason: 'Seen' },
    ]);
    await mining.credit(user, 'task', `task:b:${user}:once`, 100n * CORD);
    await sweep();
    expect(await mining.balanceMicro(user)).toBe(104n * CORD);
    expect(await outcomeOf(user, left)).toEqual(WITHDRAWN);
  });

  test('can be withdrawn during a booking: the booking that has already checked it fails', async () => {
    const user = await userWith(10n);
    const id = await proposed(user, -6);
    const { wait, reached, open } = gate();
    const booking = process(({ credit }) => ({
      credit: (request, demand) =>
        credit(request, async () => {
          await demand?.();
          await wait();
        }),
    }));
    const due = await dying().decide(id, 'confirmed', second);
    const booked = booking.book(due!);
    await reached;
    expect(await process().withdrawDue(id, proposer)).toMatchObject({ status: 'withdrawn' });
    open();
    expect(await booked).toMatchObject({ status: 'withdrawn' });
    expect(await outcomeOf(user, id)).toEqual(WITHDRAWN);
    expect(await mining.balanceMicro(user)).toBe(10n * CORD);
  });

  test('can be booked during a withdrawal: the withdrawal finds the entry and is refused', async () => {
    const user = await userWith(10n);
    const id = await proposed(user, -6);
    const [before, after] = [gate(), gate()];
    const booking = process(({ credit }) => ({
      credit: (request, demand) =>
        credit(request, async () => {
          await demand?.();
          await before.wait();
        }),
    }));
    const withdrawing = process(({ isCredited }) => ({
      isCredited: async (...key) => {
        await after.wait();
        return isCredited(...key);
      },
    }));
    const due = await dying().decide(id, 'confirmed', second);
    const booked = booking.book(due!);
    await before.reached;
    const withdrawn = withdrawing.withdrawDue(id, proposer);
    await after.reached;
    before.open();
    expect(await booked).toMatchObject({ status: 'confirmed' });
    after.open();
    expect(await withdrawn).toBeNull();
    expect(await outcomeOf(user, id)).toEqual(BOOKED);
    expect(await mining.balanceMicro(user)).toBe(4n * CORD);
  });

  test('is either booked or withdrawn, however sweeps and withdrawals of many processes interleave', async () => {
    for (let n = 0; n < 12; n += 1) {
      const user = await userWith(10n);
      const id = await proposed(user, -6);
      const due = (await dying().decide(id, 'confirmed', second))!;
      const calls = [
        () => process().book(due),
        () => process().book(due),
        () => process().withdrawDue(id, proposer),
        () => process().withdrawDue(id, second),
        () => mining.credit(user, 'task', `task:b:${user}:once`, CORD),
      ];
      const meeting = calls.map(async (make) => {
        for (let turns = Math.floor(Math.random() * 12); turns > 0; turns -= 1) await new Promise(setImmediate);
        return make();
      });
      const [, , ...rest] = await Promise.allSettled(meeting);
      await sweep();
      const outcome = await outcomeOf(user, id);
      expect([BOOKED, WITHDRAWN]).toContainEqual(outcome);
      const answered = rest.slice(0, 2).filter((one) => one.status === 'fulfilled' && one.value !== null);
      expect(answered.length).toBe(outcome.isBooked ? 0 : 1);
    }
  });

  test('is withdrawn by the sweep, and never booked, after a process died during its withdrawal', async () => {
    const user = await userWith(10n);
    const id = await proposed(user, -6);
    await dying().decide(id, 'confirmed', second);
    await expect(dying().withdrawDue(id, proposer)).rejects.toThrow('died');
    expect(await shown('confirmed', id)).toMatchObject({ booked: false, decidedBy: second });
    await sweep();
    expect(await shown('withdrawn', id)).toMatchObject({ decidedBy: proposer });
    expect(await outcomeOf(user, id)).toEqual(WITHDRAWN);
  });

  // Last: an erasure empties the text of an entry, which `audit` does not accept.
  test.each(['due', 'being withdrawn'])(
    'is deleted with its account while %s, and never shown as booked',
    async (state) => {
      const user = await userWith(10n);
      const [booked, left] = [await proposed(user, -6), await proposed(user, -6)];
      for (const id of [booked, left]) await dying().decide(id, 'confirmed', second);
      await process().book((await mining.stored.corrections.findOne({ _id: booked }))!);
      if (state === 'being withdrawn') await expect(dying().withdrawDue(left, proposer)).rejects.toThrow('died');
      await mining.publish(userErased, user, 2, {});
      await eventually(async () => expect(await shown('confirmed', left)).not.toMatchObject({ reason: 'Paid twice' }));
      await sweep();
      expect([await shown('confirmed', left), await shown('withdrawn', left)]).toEqual([undefined, undefined]);
      expect(await shown('confirmed', booked)).toMatchObject({ booked: true, reason: '' });
    },
  );

  test('is kept with its account when it was booked and its record does not show it yet', async () => {
    const user = await userWith(10n);
    const id = await proposed(user, -6);
    const confirmed = (await dying().decide(id, 'confirmed', second))!;
    await process().book(confirmed);
    await mining.stored.corrections.updateOne({ _id: id }, { $set: { dueAtMs: confirmed.dueAtMs! } });
    await mining.publish(userErased, user, 2, {});
    await eventually(async () => expect(await shown('confirmed', id)).toMatchObject({ reason: '' }));
    await sweep();
    expect(await shown('confirmed', id)).toMatchObject({ booked: true });
  });
});
