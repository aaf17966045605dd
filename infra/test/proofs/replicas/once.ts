import { setTimeout as sleep } from 'node:timers/promises';
import { Reader } from '../../../bench/live/reader.ts';
import { withCode } from '../../../bench/load/mix.ts';
import { pay } from '../../kit/pay.ts';
import { call, signIn } from '../../kit/people.ts';
import { until } from '../../kit/until.ts';

const WAIT_MS_MAX = 60_000;
const FIRST_CHECK_IN = 55;

/**
 * Runs every feature once: a sign-in with a friend's code, a node and its save, a task, a streak, the referral, a paid
 * order, the rankings, and a live stream that reported it.
 * @returns the steps as they succeed
 */
export async function* everythingOnce(origin: string): AsyncGenerator<string> {
  const host = await signIn(origin, { years: 4.5, username: 'replicas.host' });
  const { code } = await withCode(host);
  const friend = await signIn(origin, { years: 2.5, username: 'replicas.friend', referralCode: code });
  yield 'sign-in, with a code';
  const stream = new Reader(() => origin, friend);
  await until('the stream', async () => {
    if (!stream.isOpen) await stream.open();
    return stream.isOpen;
  });
  const nodeReported = stream.next('node');
  const { id: sessionId } = await call(friend, 'POST', `/users/${friend.id}/mining/start`, {});
  await within('the live stream reports the node', nodeReported);
  yield 'node, reported by the live stream';
  await sleep(1_000);
  const saved = await call(friend, 'POST', `/users/${friend.id}/mining/${sessionId}/save`, {});
  if (!(saved.credited > 0)) throw new Error(`a save credited ${saved.credited}`);
  yield 'save';
  const task = `/users/${friend.id}/tasks/follow-x`;
  await call(friend, 'POST', `${task}/visit`, {});
  await until('the task', () => call(friend, 'POST', `${task}/complete`, {}).catch(() => false));
  yield 'task';
  const balanceReported = stream.next('balance');
  await call(friend, 'POST', '/daily-checkin/perform', {});
  await within('the live stream reports the credit', balanceReported);
  stream.close();
  await until('the check-in', async () => {
    const { entries } = await call(friend, 'GET', `/users/${friend.id}/ledger?limit=50`);
    const paid = entries.filter(({ source }: { source: string }) => source === 'checkin');
    return paid.length === 1 && paid[0].amount === FIRST_CHECK_IN;
  });
  yield 'streak, reported by the live stream';
  await until('the referral', async () => {
    const { entries } = await call(friend, 'GET', `/users/${friend.id}/ledger?limit=50`);
    const { referredBy } = await call(friend, 'GET', `/referrals/${friend.id}/stats`);
    return referredBy && entries.some(({ source }: { source: string }) => source === 'refbonus');
  });
  yield 'referral';
  const order = await call(friend, 'POST', '/badge-orders', {});
  const transactionHash = await pay(origin, order);
  const paid = { userId: friend.id, orderId: order.id, walletAddress: '1'.repeat(32), amountSol: 0.02, amountUsd: 1 };
  await call(friend, 'POST', '/badge-purchases', { ...paid, transactionHash });
  await until('the order', async () => (await call(friend, 'GET', `/badge-orders/${order.id}`)).status === 'confirmed');
  yield 'order';
  await until('the rankings', async () => (await call(friend, 'GET', '/leaderboard/me')).entry?.rank > 0);
  yield 'leaderboard';
  await call(friend, 'POST', `/users/${friend.id}/deactivate-node`, {});
}

/** @throws naming what did not happen in time */
async function within(what: string, coming: Promise<unknown>) {
  const late = sleep(WAIT_MS_MAX, 'late', { ref: false });
  if ((await Promise.race([coming, late])) === 'late') throw new Error(`timeout: ${what}`);
}
