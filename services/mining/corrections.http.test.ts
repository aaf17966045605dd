import type { Source } from '@cord/contracts/events/balance';
import { userErased } from '@cord/contracts/events/user';
import type { Correction } from '@cord/contracts/http/corrections';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { accrueCommissionRpc, creditRpc } from '@cord/contracts/rpc/ledger';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCorrections } from './corrections.js';
import { CORD, correctionDesk } from './test/corrections.js';
import { DAY_MS, eventually, startFixture, type TestUser } from './test/fixture.js';

const REASON = 'Mined by a clock that was a year ahead';

const mining = forAllTests(() => startFixture({ replicas: 2 }));
const { actsOn, decide, list, operator, propose, userWith } = correctionDesk(mining);
let proposer: string;
let second: string;

beforeAll(async () => {
  [proposer, second] = [await operator(), await operator()];
});

async function proposed(user: TestUser, amount: number): Promise<Correction> {
  const answer = await propose(proposer, user.id, { amount, reason: REASON });
  expect(answer.status).toBe(201);
  return answer.body;
}
const ledgerOf = async (user: TestUser) => (await user.call(miningEndpoints.ledger)).body.entries;

describe('a correction', () => {
  test.each([
    ['takes off', 100n, -40.5, 59.5],
    ['takes off all', 100n, -100, 0],
    ['adds', 0n, 2_400.000001, 2_400.000001],
  ])('%s the amount that one operator proposes and another one confirms', async (_, has, amount, left) => {
    const user = await userWith(has);
    const made = await proposed(user, amount);
    expect(made).toMatchObject({ userId: user.id, amount, reason: REASON, state: 'open', booked: false });
    expect(await mining.balanceMicro(user.id)).toBe(has * CORD);
    const { status, body } = await decide(second, made.id, 'confirm', 1);
    expect([status, body]).toEqual([200, expect.objectContaining({ state: 'confirmed', booked: true })]);
    const [entry] = await ledgerOf(user);
    expect(entry).toMatchObject({
      id: `correction:${user.id}:${made.id}`,
      source: 'correction',
      amount,
      balance: left,
      reason: REASON,
    });
    expect(await actsOn(user.id)).toEqual([
      { action: 'correction.confirmed', adminId: second, correctionId: made.id, amount, reason: 'Seen' },
      { action: 'correction.proposed', adminId: proposer, correctionId: made.id, amount, reason: REASON },
    ]);
    await mining.audit();
  });

  test('cannot be confirmed by its proposer, and nobody can propose or decide one for their own account', async () => {
    const user = await userWith(10n);
    const made = await proposed(user, -5);
    expect(await decide(proposer, made.id, 'confirm')).toMatchObject({
      status: 403,
      problem: { type: 'second-operator-needed' },
    });
    await mining.signer.state.setRoles(user.id, ['admin']);
    const own = { status: 403, problem: { type: 'own-account' } };
    expect(await propose(user.id, user.id, { amount: 5, reason: REASON })).toMatchObject(own);
    expect(await decide(user.id, made.id, 'confirm')).toMatchObject(own);
    expect(await decide(user.id, made.id, 'withdraw')).toMatchObject(own);
    expect(await mining.balanceMicro(user.id)).toBe(10n * CORD);
  });

  test('cannot be confirmed by an account that became an operator after the proposal', async () => {
    const user = await userWith(10n);
    const before = await operator(mining.clock.now() - 1);
    const made = await proposed(user, -5);
    const second = await operator(mining.clock.now() + 1);
    expect(await decide(second, made.id, 'confirm')).toMatchObject({ status: 409, problem: { type: 'role-too-new' } });
    expect(await mining.balanceMicro(user.id)).toBe(10n * CORD);
    expect(await decide(before, made.id, 'confirm')).toMatchObject({ status: 200, body: { booked: true } });
  });

  test('is withdrawn when the operator who proposed it deletes their account', async () => {
    const user = await userWith(10n);
    const gone = await operator();
    const { id } = (await propose(gone, user.id, { amount: -5, reason: REASON })).body;
    await mining.publish(userErased, gone, 2, {});
    await eventually(async () =>
      expect((await list(second, 'withdrawn')).find((one) => one.id === id)).toMatchObject({
        decidedBy: null,
        decidedAt: null,
      }),
    );
    expect(await decide(second, id, 'confirm')).toMatchObject({
      status: 409,
      problem: { type: 'correction-withdrawn' },
    });
    expect(await mining.balanceMicro(user.id)).toBe(10n * CORD);
  });

  test('is confirmed once under concurrent confirmations, and a retry by the one who confirmed gets 200', async () => {
    const user = await userWith(10n);
    const made = await proposed(user, -4);
    const others = await Promise.all(Array.from({ length: 4 }, () => operator()));
    const answers = await Promise.all(others.map((by, n) => decide(by, made.id, 'confirm', n % 2)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const winner = others[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect(await decide(winner, made.id, 'confirm')).toMatchObject({ status: 200, body: { booked: true } });
    expect(await mining.balanceMicro(user.id)).toBe(6n * CORD);
    expect((await ledgerOf(user)).filter(({ source }) => source === 'correction')).toHaveLength(1);
    expect(await decide(second, made.id, 'withdraw')).toMatchObject({
      status: 409,
      problem: { type: 'correction-confirmed' },
    });
  });

  test('is never booked after it was withdrawn', async () => {
    const user = await userWith(10n);
    const made = await proposed(user, -4);
    expect(await decide(proposer, made.id, 'withdraw')).toMatchObject({ status: 200, body: { state: 'withdrawn' } });
    expect(await decide(second, made.id, 'confirm')).toMatchObject({
      status: 409,
      problem: { type: 'correction-withdrawn' },
    });
    expect(await mining.balanceMicro(user.id)).toBe(10n * CORD);
    expect((await list(second, 'withdrawn')).map(({ id }) => id)).toContain(made.id);
  });

  test('never takes the balance below zero, neither when proposed nor when confirmed', async () => {
    const user = await userWith(10n);
    expect(await propose(proposer, user.id, { amount: -10.000001, reason: REASON })).toMatchObject({
      status: 400,
      problem: { errors: [{ path: 'amount' }] },
    });
    const [first, later] = [await proposed(user, -6), await proposed(user, -6)];
    expect(await decide(second, first.id, 'confirm')).toMatchObject({ status: 200 });
    expect(await decide(second, later.id, 'confirm')).toMatchObject({
      status: 409,
      problem: { type: 'balance-too-low' },
    });
    expect((await list(second, 'open')).map(({ id }) => id)).toContain(later.id);
    expect(await mining.balanceMicro(user.id)).toBe(4n * CORD);
  });

  test('cannot take commission that is not a ledger entry yet', async () => {
    const user = await userWith(1n);
    const accrue = { userId: user.id, totalMicro: String(5n * CORD) };
    await mining.backend.nats.request(accrueCommissionRpc, accrue, { userId: user.id });
    expect(await mining.balanceMicro(user.id)).toBe(6n * CORD);
    expect(await propose(proposer, user.id, { amount: -2, reason: REASON })).toMatchObject({ status: 400 });
    await decide(second, (await proposed(user, -1)).id, 'confirm');
    expect(await mining.balanceMicro(user.id)).toBe(5n * CORD);
    await mining.audit();
  });

  test.each([
    ['0', { amount: 0, reason: REASON }, 'amount'],
    ['above the limit', { amount: 1_000_000.000001, reason: REASON }, 'amount'],
    ['below the limit', { amount: -1_000_000.000001, reason: REASON }, 'amount'],
    ['of seven decimals', { amount: 1.0000001, reason: REASON }, 'amount'],
    ['without a reason', { amount: 1, reason: ' ' }, 'reason'],
    ['as a text', { amount: '5', reason: REASON }, 'amount'],
  ])('%s gets 400 with the name of its field', async (_, body, path) => {
    const user = await userWith(10n);
    const { status, problem } = await propose(proposer, user.id, body);
    expect([status, problem.errors?.at(-1)?.path]).toEqual([400, path]);
    expect(await mining.stored.corrections.countDocuments({ userId: user.id })).toBe(0);
    expect(await actsOn(user.id)).toEqual([]);
  });

  test('is confirmed at most four times a day per account', async () => {
    const user = await userWith(10n);
    for (let n = 0; n < 4; n += 1)
      expect(await decide(second, (await proposed(user, 1)).id, 'confirm')).toMatchObject({ status: 200 });
    const fifth = await proposed(user, 1);
    expect(await decide(second, fifth.id, 'confirm')).toMatchObject({
      status: 503,
      problem: { type: 'ledger-day-limit' },
    });
    await mining.clock.advance(DAY_MS);
    expect(await decide(second, fifth.id, 'confirm')).toMatchObject({ status: 200, body: { booked: true } });
    expect(await mining.balanceMicro(user.id)).toBe(15n * CORD);
  });

  test('does not count as earnings: it changes the balance and the total, but no period total and no bar of the chart', async () => {
    const user = await userWith(10n);
    await decide(second, (await proposed(user, 50)).id, 'confirm');
    await decide(second, (await proposed(user, -30)).id, 'confirm');
    const { totals } = (await mining.stored.accounts.findOne({ _id: user.id }))!;
    expect([totals.allMicro, totals.day.micro, totals.week.micro]).toEqual([30n * CORD, 10n * CORD, 10n * CORD]);
    const { body } = await user.call(miningEndpoints.earnings, { query: { range: '7d' } });
    expect([body.total, body.buckets.at(-1)]).toEqual([10, expect.objectContaining({ tasks: 10, claims: 0 })]);
  });

  test('of an erased user is deleted while open, loses its reason once booked, and cannot be proposed (404)', async () => {
    const user = await userWith(10n);
    await decide(second, (await proposed(user, -1)).id, 'confirm');
    const open = await proposed(user, -2);
    await mining.publish(userErased, user.id, 2, {});
    await eventually(async () => expect(await mining.stored.corrections.findOne({ _id: open.id })).toBeNull());
    await eventually(async () => {
      const entry = await mining.stored.entries.findOne({ userId: user.id, source: 'correction' });
      expect(entry).toMatchObject({ amountMicro: -CORD, reason: '' });
    });
    expect(await propose(proposer, user.id, { amount: 1, reason: REASON })).toMatchObject({ status: 404 });
  });

  test('proposed while its account is being deleted leaves nothing', async () => {
    const { id } = await mining.newUser();
    const ledger = { read: async () => ({ erasedAtMs: mining.clock.now() }) } as never;
    const meanwhile = createCorrections({ store: mining.store, ledger, clock: mining.clock });
    const proposal = meanwhile.draft({ userId: id, amountMicro: CORD, reason: REASON, proposedBy: proposer });
    expect(await meanwhile.propose(proposal)).toBe(false);
    expect(await meanwhile.get(proposal._id)).toBeNull();
  });
});

test('no service can credit a correction, whatever its key', async () => {
  const { id } = await mining.newUser();
  for (const caller of ['auth', 'tasks', 'rewards', 'referrals', 'mining'] as const) {
    const request = { userId: id, key: `correction:${id}:${randomId()}`, source: 'correction' as Source };
    const credit = mining.backend.nats.request(creditRpc(caller), { ...request, amountMicro: '1', reason: 'x' });
    await expect(credit).rejects.toMatchObject({ status: 422, type: 'source-not-allowed' });
  }
});
