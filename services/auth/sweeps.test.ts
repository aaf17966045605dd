import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, it } from 'vitest';
import { createAddressStore } from './anticheat/addresses.js';
import { createAssessmentStore } from './anticheat/assessments.js';
import { createCheck } from './anticheat/check.js';
import { assess } from './anticheat/levels.js';
import { createMinedStore } from './anticheat/mined.js';
import { data } from './data.js';
import { newUser } from './domain/user.js';
import { createErasure } from './erasure.js';
import { createOnboarding } from './signin/onboarding.js';
import { createErasureStore } from './store/erasures.js';
import { createUserStore } from './store/users.js';
import { hash32 } from './test/events.js';
import { allOn } from './test/node-time.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const LEASE = { lease: async () => true };
/** More than any sweep reads at a time. */
const DAMAGED = 70;

const backend = forAllTests(() => startTestStore({ data }));

/** Ids of which the damaged ones fall due first. */
const people = () => ({ damaged: Array.from({ length: DAMAGED }, randomId), whole: randomId() });

it('a user whose assessment fails blocks no other assessment', async () => {
  let nowMs = NOON_MS;
  const [mined, assessments] = [createMinedStore(backend.store), createAssessmentStore(backend.store)];
  const addresses = createAddressStore(backend.store);
  const check = createCheck({
    mined,
    assessments,
    addresses,
    isUser: async () => true,
    relay: () => undefined,
    now: () => nowMs,
  });
  const { damaged, whole } = people();
  for (const userId of [...damaged, whole]) {
    const at = [{ hash: hash32(userId), ms: 2 * HOUR_MS, fromRanMs: 0 }];
    await mined.noteAddresses({ userId, seq: 1, atMs: nowMs, addresses: at, day: allOn(nowMs) });
    await check.nodeChanged(userId);
    nowMs += 1;
  }
  await backend.store
    .collection('mined_addresses')
    .updateMany({ userId: { $in: damaged } }, { $set: { days: [null] } });
  nowMs += HOUR_MS;
  await expect(check.sweep(LEASE)).rejects.toThrow();
  expect(await assessments.of(whole)).toMatchObject({ checkedAtMs: nowMs });
});

it('an erasure or assessment scheduled by a clock ahead is due at once', async () => {
  const [soon, ahead] = [randomId(), randomId()];
  const erasures = createErasureStore(backend.store);
  const assessments = createAssessmentStore(backend.store);
  const assessed = { ...assess({ accountsAtAddress: 0, addressesOfUser: 0, cleared: false, addressIsShared: false }) };
  for (const [_id, waitMs] of [
    [soon, 5_000],
    [ahead, 24 * HOUR_MS],
  ] as const) {
    await erasures.begin({ _id, atMs: NOON_MS, dueAtMs: NOON_MS + waitMs, seq: 1, outbox: [] });
    const none = { addressHash: null, addressIsShared: false, cleared: false, hourMined: false, recheckAtMs: null };
    const first = { _id, ...assessed, ...none, checkedAtMs: NOON_MS, seq: 0, outbox: [] };
    await assessments.open(first);
    await assessments.change(first, { addressHash: hash32(_id), recheckAtMs: NOON_MS + waitMs }, [], NOON_MS);
  }
  const isOurs = (id: string) => id === soon || id === ahead;
  expect(await erasures.due(NOON_MS, 9, isOurs)).toEqual([ahead]);
  expect(await assessments.dueForCheck(NOON_MS, 9, isOurs)).toEqual([ahead]);
  for (const _id of [soon, ahead]) await erasures.finish(_id);
  for (const _id of [soon, ahead]) await assessments.remove(_id);
});

it('an erasure that fails blocks no other erasure', async () => {
  const { damaged, whole } = people();
  const erasures = createErasureStore(backend.store);
  for (const [n, _id] of [...damaged, whole].entries()) {
    await erasures.begin({ _id, atMs: NOON_MS, dueAtMs: NOON_MS + n, seq: 1, outbox: [] });
  }
  const nothing = async () => undefined;
  const erasure = createErasure({
    users: createUserStore(backend.store),
    erasures,
    antiCheat: { forget: nothing },
    rights: { revokeUser: nothing, publishRole: nothing },
    tombstone: hash32,
    idempotency: { forgetUser: nothing },
    erase: nothing,
    async purge(userId: string) {
      if (damaged.includes(userId)) throw new Error('the stream refuses');
    },
    relay: () => undefined,
    now: () => NOON_MS + HOUR_MS,
  } as never);
  await expect(erasure.sweep(LEASE)).rejects.toThrow('the stream refuses');
  const left = await backend.store
    .collection('erasures')
    .find({ dueAtMs: { $gt: 0 } })
    .toArray();
  expect(left.map(({ _id }) => String(_id)).sort()).toEqual([...damaged].sort());
});

it('an unreadable record blocks no other first sign-in', async () => {
  const { damaged, whole } = people();
  const users = createUserStore(backend.store);
  for (const [n, userId] of [...damaged, whole].entries()) {
    const name = { discordId: `${n}`, username: `user-${n}`, discriminator: null, avatar: null };
    const profile = { ...name, secondFactor: true, discordCreatedAtMs: NOON_MS - HOUR_MS };
    const given = { referralCode: null, returning: false, role: { isAdmin: false, roleFrom: null } };
    await users.insert(
      newUser({ userId, profile, ...given, sessionId: 's', device: 'd', nowMs: NOON_MS + n, book: FIRST_BOOK }),
    );
  }
  const ids = { _id: { $in: damaged as never[] } };
  await backend.store.collection('users').updateMany(ids, { $set: { schemaVersion: 2 } });
  const opened: string[] = [];
  const onboarding = createOnboarding({
    users,
    ledger: { open: async ({ userId }) => void opened.push(userId), creditWelcome: async () => undefined },
    referrals: { takeIn: async () => ({ linked: false }) },
    now: () => NOON_MS + HOUR_MS,
    onFailure: () => undefined,
  });
  await expect(onboarding.sweep(LEASE)).rejects.toThrow('schema 2');
  expect(opened).toEqual([whole]);
});
