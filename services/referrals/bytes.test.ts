import { createLogger } from '@cord/kit/log';
import { monitorCommands, monitoredUri } from '@cord/kit/testing/command-monitor';
import { startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBooks } from './books.js';
import { data } from './data.js';
import { newFriend } from './domain/friend.js';
import { createDues } from './dues.js';
import { type Member, newMember } from './member.js';
import { createPayer, PAYER_BOUNDS } from './payer.js';
import { openStore, type ReferralStore } from './store.js';
import { createSums } from './sums.js';

/** Number of friends of the large referrer; the long form has 100,000 (npm run proof -- friends). */
const MANY = Number(process.env.REFERRAL_FRIENDS ?? 2_600);
const BUCKET = 256;
const NOW_MS = Date.UTC(2026, 10, 22, 12);
const log = createLogger('test', 'silent');
const idOf = (n: number) => n.toString(16).padStart(32, '0');
const account = (accountSeq: bigint, eligibleMicro: bigint) => ({
  accountSeq,
  eligibleMicro,
  totalMicro: eligibleMicro,
  ranMs: 0,
});

const monitor = monitorCommands();
const backend = forAllTests(() => startTestStore({ data, uriOf: monitoredUri }));
let store: ReferralStore;
beforeAll(() => {
  store = openStore(backend.store);
});
afterAll(() => monitor.stop());

function wired() {
  const clock = { now: () => NOW_MS, onAdvance: () => () => undefined };
  const sums = createSums(store.sums);
  const dues = createDues(store, clock, PAYER_BOUNDS.quietMs);
  const reported: bigint[] = [];
  const ledger = {
    accrue: async (_userId: string, totalMicro: bigint) => {
      reported.push(totalMicro);
      return totalMicro;
    },
    bonusesOf: async () => 0n,
  };
  const outbox = { relayNow: async () => undefined, settle: async () => null };
  const sendSoon = () => undefined;
  const books = createBooks({ store, sums, clock, dues, sendSoon, ledger, outbox });
  const leases = singleReplicaLeases();
  const follow = { checkDue: async () => undefined };
  const payer = createPayer({ store, books, follow, dues, clock, leases, log, ledger });
  return { books, payer, reported };
}

/** Creates a referrer with full buckets of friends who earned 700 each; the last friend has a record to change. */
async function referrerWith(friends: number, first: number): Promise<{ referrerId: string; friendId: string }> {
  const referrerId = idOf(first);
  const ids = Array.from({ length: friends }, (_, n) => idOf(first + 1 + n));
  const friendId = ids.at(-1) ?? '';
  await store.members.update(referrerId, (member) => {
    return { ...member, code: `CODE${first}`, lastBucket: Math.floor((friends - 1) / BUCKET) };
  });
  for (let at = 0, index = 0; at < friends; at += BUCKET, index += 1) {
    const lines = ids.slice(at, at + BUCKET).map((id) => [id, { seq: 2n ** 40n, countedMicro: 700n, returned: false }]);
    const head = { seq: 9n, size: lines.length, friends: lines.length, sumMicro: BigInt(lines.length) * 700n };
    await store.sums.addBucket(referrerId, index, head, Object.fromEntries(lines));
  }
  const bucket = Math.floor((friends - 1) / BUCKET);
  const friend = { ...newFriend(account(1n, 0n), 1, false), ...account(2n, 700n), countedMicro: 700n };
  const referredBy = { userId: referrerId, atMs: 1, bucket };
  const member: Member = { ...newMember(friendId), seq: 2n ** 40n, friend, referredBy };
  await backend.store.collection<Member>('members').insertOne(member);
  return { referrerId, friendId };
}

async function bytesOf(work: () => Promise<unknown>) {
  const before = monitor.bytes();
  await work();
  const after = monitor.bytes();
  return { written: after.written - before.written, read: after.read - before.read };
}

test('the bytes that an event writes and a payment reads do not grow with the number of friends', async () => {
  const { books, payer, reported } = wired();
  const measured = [];
  for (const [friends, first] of [
    [1, 1],
    [MANY, 16],
  ] as const) {
    const { referrerId, friendId } = await referrerWith(friends, first);
    const event = await bytesOf(() => books.takeAccount(friendId, account(3n, 1_700n)));
    const payment = await bytesOf(() => payer.pay(referrerId));
    measured.push({ friends, event, payment });
  }
  if (process.env.REFERRAL_FRIENDS) console.log(JSON.stringify(measured));
  const [one, many] = measured;
  if (!one || !many) throw new Error('nothing was measured');
  expect(reported).toEqual([170n, (BigInt(MANY) * 700n + 1_000n) / 10n]);
  expect(one.event.written).toBeGreaterThan(500);
  expect(many.event.written).toBeLessThanOrEqual(2 * one.event.written);
  expect(many.event.read).toBeLessThanOrEqual(2 * one.event.read);
  expect(many.payment.read).toBeLessThan(20_000);
});

test('a full bucket is smaller than 16 KB', async () => {
  await referrerWith(BUCKET, 1_000_000);
  const read = await bytesOf(() =>
    backend.store.collection<{ _id: string }>('sums').findOne({ _id: `${idOf(1_000_000)}:0` }),
  );
  expect(read.read).toBeGreaterThan(15_000);
  expect(read.read).toBeLessThan(16_384);
});
