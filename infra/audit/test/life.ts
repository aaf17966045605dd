import { setTimeout as sleep } from 'node:timers/promises';
import { type BadgeOrder, rewardEndpoints } from '@cord/contracts/http/rewards';
import { nextDayStartMs } from '@cord/contracts/rules/days';
import { Keypair } from '@solana/web3.js';
import { secret } from '../../dev/starter/data-folder.ts';
import {
  type Answer,
  call,
  makeAdmin,
  type Signed,
  signInAgainByBearer,
  signInByBearer,
} from '../../e2e/api/client.js';
import { advance, systemNow } from '../../test/kit/clock.ts';
import { NO_ORDER, pay } from '../../test/kit/pay.ts';
import type { System } from '../../test/kit/system.ts';
import { until as found } from '../../test/kit/until.ts';

const TRY_MS_MAX = 120_000;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The users of a simulated life, by role. */
export interface Life {
  /** Referred two friends; one of them is erased in the end. */
  referrer: Signed;
  friend: Signed;
  erasedFriend: Signed;
  /** The friend's friend. */
  grandchild: Signed;
  /** Owns the badge. */
  buyer: Signed;
  /** Paid too late; got the money back. */
  late: Signed;
  /** Paid too late; the money is still owed. */
  later: Signed;
}

/** Repeats a call until it returns 2xx, while something is in transit. @throws Error with the last response */
async function done(caller: Signed, method: Method, path: string, body?: object): Promise<unknown> {
  for (const endMs = performance.now() + TRY_MS_MAX; ; await sleep(100)) {
    const answer: Answer = await call(caller, { method, path }, body === undefined ? {} : { body });
    if (answer.status < 300) return answer.body;
    if ((answer.status < 500 && answer.status !== 429) || performance.now() > endMs)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

const until = <T>(what: string, look: () => Promise<T | null>): Promise<T> => found(what, look, TRY_MS_MAX);

/**
 * Simulates a few days of seven users over HTTP: codes, mining, tasks, check-ins, claims, the badge, late payments
 * and their return, an erasure. All nodes are stopped in the end.
 */
export async function normalLife({ origin, dataDir }: Pick<System, 'origin' | 'dataDir'>): Promise<Life> {
  const codeOf = (person: Signed) =>
    until('the code is made', async () => {
      const stats = (await done(person, 'GET', `/referrals/${person.userId}/stats`)) as { referralCode: string | null };
      return stats.referralCode;
    });
  // It starts at the beginning of a UTC day, because a claimed task counts the hours of one day.
  const nowMs = await systemNow(origin);
  await advance(origin, `${Math.ceil((nextDayStartMs(nowMs) - nowMs) / 60_000)}m`);
  const referrer = await signInByBearer(origin, 5.5);
  const code = await codeOf(referrer);
  const [friend, erasedFriend, buyer] = await Promise.all([
    signInByBearer(origin, 2.5, code),
    signInByBearer(origin, 0.5, code),
    signInByBearer(origin, 8.5),
  ]);
  const grandchild = await signInByBearer(origin, 1.5, await codeOf(friend));
  const [late, later] = await Promise.all([signInByBearer(origin, 3.5), signInByBearer(origin, 0.2)]);
  await makeAdmin(referrer);
  const miners = [referrer, friend, erasedFriend, grandchild, buyer];
  const start = (person: Signed) => done(person, 'POST', `/users/${person.userId}/mining/start`, {});
  const look = (person: Signed) => done(person, 'GET', `/users/${person.userId}/mining/current`);
  const stop = (person: Signed) => done(person, 'POST', `/users/${person.userId}/deactivate-node`, {});
  const checkIn = (person: Signed) => done(person, 'POST', '/daily-checkin/perform', {});
  const task = (person: Signed, id: string) => done(person, 'POST', `/users/${person.userId}/tasks/${id}/complete`, {});
  const all = (act: (person: Signed) => Promise<unknown>, people = miners) => Promise.all(people.map(act));

  await all((person) =>
    until('the link stands', async () => {
      const wanted = [friend, erasedFriend, grandchild].includes(person);
      const stats = (await done(person, 'GET', `/referrals/${person.userId}/stats`)) as { referredBy: unknown };
      return !wanted || stats.referredBy ? true : null;
    }),
  );
  await all(start);
  await all(checkIn);
  await all((person) => done(person, 'POST', `/users/${person.userId}/tasks/follow-x/visit`, {}), [friend, buyer]);
  await all(
    (person) => done(person, 'POST', '/compensation/claim', { userId: person.userId }),
    [friend, buyer, erasedFriend],
  );
  await advance(origin, '20m');
  await all(look);
  await all((person) => task(person, 'follow-x'), [friend, buyer]);
  await task(referrer, 'early-adopter');
  const orderOf = async (person: Signed) =>
    (await call(person, rewardEndpoints.createOrder, { body: {} })).body as BadgeOrder;
  const statusOf = (person: Signed, { id }: BadgeOrder, status: string) =>
    until(`the order is ${status}`, async () => {
      const order = (await call(person, rewardEndpoints.order, { params: { id } })).body as BadgeOrder;
      return order.status === status ? order : null;
    });
  const order = await orderOf(buyer);
  const lateOrders = [
    { person: late, order: await orderOf(late) },
    { person: later, order: await orderOf(later) },
  ];
  await pay(origin, order);
  await statusOf(buyer, order, 'confirmed');
  await done(buyer, 'POST', '/cord-claims/claim', { userId: buyer.userId });
  await advance(origin, '16m');
  for (const { order: lateOrder } of lateOrders) await pay(origin, lateOrder);
  await advance(origin, '1m');
  for (const { person, order: lateOrder } of lateOrders) await statusOf(person, lateOrder, 'refund');
  await returnRefund({ origin, dataDir }, referrer, late);
  await correctBalance(friend, referrer, buyer);
  await advance(origin, '3h');
  await all(look);
  await all((person) => task(person, 'mine-1-hour'), [referrer, grandchild]);
  await all(stop);
  await advance(origin, '21h');
  await all(start);
  await all(checkIn);
  await advance(origin, '90m');
  await all(look);
  await stop(erasedFriend);
  await advance(origin, '61s');
  await done(await signInAgainByBearer(erasedFriend), 'DELETE', `/users/${erasedFriend.userId}`, {
    confirm: erasedFriend.username,
  });
  const left = miners.filter((person) => person !== erasedFriend);
  await all(stop, left);
  await advance(origin, '24h');
  await all(checkIn, [friend, buyer]);
  await all(start, [friend]);
  await advance(origin, '40m');
  await all(stop, [friend]);
  return { referrer, friend, erasedFriend, grandchild, buyer, late, later };
}

interface ListedRefund {
  id: string;
  userId: string | null;
  walletAddress: string;
  lamports: number;
}

/** Corrects a balance: one operator proposes, another one confirms. */
async function correctBalance(of: Signed, first: Signed, second: Signed): Promise<void> {
  await makeAdmin(second);
  const propose = `/admin/users/${of.userId}/corrections`;
  const made = await done(await signInAgainByBearer(first), 'POST', propose, { amount: -1.5, reason: 'Paid twice' });
  const { id } = made as { id: string };
  const confirm = { decision: 'confirm', reason: 'Seen' };
  await done(await signInAgainByBearer(second), 'PUT', `/admin/corrections/${id}`, confirm);
}

/** Returns a late payment from the treasury, notes the transaction as admin, and waits for its proof on the chain. */
async function returnRefund(
  { origin, dataDir }: Pick<System, 'origin' | 'dataDir'>,
  admin: Signed,
  buyer: Signed,
): Promise<void> {
  const refund = await until('the refund is listed', async () => {
    const { refunds } = (await done(admin, 'GET', '/admin/refunds')) as { refunds: ListedRefund[] };
    return refunds.find(({ userId }) => userId === buyer.userId) ?? null;
  });
  const { walletAddress, lamports } = refund;
  const treasury = Keypair.fromSeed(Buffer.from(await secret(dataDir, 'solana-treasury'), 'hex'));
  const back = { treasury: walletAddress, reference: NO_ORDER, lamports };
  const returnTransaction = await pay(origin, back, treasury);
  await advance(origin, '30s');
  await done(await signInAgainByBearer(admin), 'PUT', `/admin/refunds/${refund.id}`, { returnTransaction });
  await advance(origin, '30s');
}
