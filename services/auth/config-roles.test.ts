import { startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, it, test } from 'vitest';
import { createConfigRoles } from './config-roles.js';
import { data } from './data.js';
import { roleByAdmin } from './domain/role.js';
import { createUserStore } from './store/users.js';

const LISTED = { discordId: '1', secondFactor: true };

it.each([
  ['never was here', false, 1, true],
  ['was erased waits for an admin', true, 1, false],
  ['was erased, where there is no admin at all,', true, 0, true],
])('a listed user who %s (erased: %s, admins: %i): isAdmin is %s', async (_who, wasErased, admins, isAdmin) => {
  const roles = createConfigRoles({
    discordIds: ['1'],
    needsSecondFactor: true,
    users: { admins: async () => Array(admins).fill({}) } as never,
    audit: {} as never,
    rights: {} as never,
    now: () => 0,
  });
  const newcomer = { ...(await roles.begin(wasErased)), ...LISTED };
  expect(roles.of(newcomer)).toMatchObject({ isAdmin, configDenied: !isAdmin });
  // As an ordinary user, who waits signs in without a second factor.
  expect(roles.isWithheld({ ...newcomer, secondFactor: false })).toBe(isAdmin);
});

const backend = forAllTests(() => startTestStore({ data }));

test('adminSinceMs is the time at which the role was last granted', async () => {
  const users = createUserStore(backend.store);
  await backend.store
    .collection<{ _id: string }>('users')
    .insertOne({ _id: 'u', isAdmin: false, seq: 1, outbox: [] } as never);
  const give = (isAdmin: boolean, nowMs: number) => users.change('u', nowMs, () => ({ set: roleByAdmin(isAdmin) }));
  await give(true, 5);
  expect(await give(true, 6)).toMatchObject({ isAdmin: true, adminSinceMs: 5 });
  await give(false, 7);
  await give(true, 8);
  expect(await users.adminsAmong(['u'])).toMatchObject([{ _id: 'u', adminSinceMs: 8 }]);
});
