import { anticheatAssessed, userUpdated } from '@cord/contracts/events/user';
import { cord } from '@cord/contracts/rules/money';
import type { Schemed } from '@cord/kit/document-schema';
import { dueTimes } from '@cord/kit/store/due';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { assessed } from '@cord/kit/testing/node-state';
import { registered } from '@cord/kit/testing/registered';
import { storedAt, writeAsNewer, writeNewerSchema } from '@cord/kit/testing/unknown-fields';
import { expect, test, vi } from 'vitest';
import { type Member, newMember } from './member.js';
import { openStore } from './store.js';
import { openSumStore } from './sum-store.js';
import { PATIENCE, type Person, startReferrals, TEN_MINUTES } from './test/people.js';

const referrals = forAllTests(() => startReferrals());

const placeOf = (collection: string, id: string) => ({ service: 'referrals', collection, id });

/** Creates a friend of a new referrer. */
async function pair(): Promise<[Person, Person]> {
  const [referrer, friend] = [await referrals.person(), await referrals.person()];
  expect((await referrals.enter(friend, referrer.code)).status).toBe(200);
  return [referrer, friend];
}

/** Performs every action that changes documents of the two. @param n number of earlier runs */
async function useAll(referrer: Person, friend: Person, n: number): Promise<void> {
  const { clock, publish, earns, handled, paidTo } = referrals;
  const before = paidTo(referrer.userId, 'commission');
  await earns(friend, cord(10), TEN_MINUTES, 'home');
  const at = (addressKey: string) => assessed({ addressKey, hourMined: true });
  await publish(anticheatAssessed, friend.userId, at(`home-${n}`), n + 1);
  await publish(anticheatAssessed, referrer.userId, at(`office-${n}`), n + 1);
  await publish(userUpdated, friend.userId, registered(clock.now(), { username: `friend-${n}` }), n + 2);
  await handled();
  await vi.waitFor(async () => {
    await clock.advance(60_000);
    expect(paidTo(referrer.userId, 'commission')).toBeGreaterThan(before);
  }, PATIENCE);
}

test('unknown fields of a newer release survive every update of their document', async () => {
  const [referrer, friend] = await pair();
  await useAll(referrer, friend, 0);
  await referrals.clock.advance(60_000);
  const newer = await writeAsNewer(referrals.backend, 'referrals', {
    pass: () => referrals.clock.advance(6_000),
    except: { audit: 'never changed', streams: 'where publishing is' },
  });
  expect(newer.collections).toEqual(['members', 'sums']);
  await useAll(referrer, friend, 1);
  await referrals.joins(await referrals.person(), referrer.code);
  await useAll(referrer, friend, 2);
  expect(await newer.lost()).toEqual([]);
  expect(await newer.changed()).toEqual(['members', 'sums']);
});

test('a bucket or record with a newer schema is rejected by name, and not changed', async () => {
  const [referrer, friend] = await pair();
  await useAll(referrer, friend, 0);
  const places = [placeOf('sums', `${referrer.userId}:0`), placeOf('members', friend.userId)];
  const newer = await Promise.all(places.map((place) => writeNewerSchema(referrals.backend, place)));
  expect(newer).toEqual([
    expect.objectContaining({ lines: expect.anything() }),
    expect.objectContaining({ schemaVersion: 2 }),
  ]);
  // As the service reads it.
  const { bucket } = openSumStore(await referrals.backend.storeOf('referrals'));
  await expect(bucket(referrer.userId, 0, null)).rejects.toThrow('referral bucket is of schema 2');
  const refused = await referrals.enter(friend, referrer.code);
  expect([refused.status, refused.problem.error]).toEqual([
    503,
    expect.stringContaining('referral record is of schema 2'),
  ]);
  expect(await Promise.all(places.map((place) => storedAt(referrals.backend, place)))).toEqual(newer);
});

test('due records with a newer schema, more than one batch, do not block others', async () => {
  const due = { dueAt: 0, againAt: 0, bonusAt: 0, codeAt: 0 };
  const marked = (schemaVersion: number): Member & Schemed => ({
    ...newMember(randomId()),
    ...due,
    seq: 1n,
    schemaVersion,
  });
  const own = marked(1);
  const connection = await referrals.backend.storeOf('marks');
  const newer = Array.from({ length: 300 }, () => marked(2));
  await connection.collection<Member>('members').insertMany([...newer, own]);
  const store = openStore(connection);
  const times = dueTimes(1, 60_000);
  const found = [
    store.due(times, 256),
    store.dueForCheck(times, 256),
    store.bonusesDue(1, 256),
    store.waitingCodes(times, 256),
  ];
  expect(await Promise.all(found)).toEqual(Array.from({ length: 4 }, () => [own._id]));
});
