import { expect, it } from 'vitest';
import { type Admin, createAdmin } from './admin.js';

const [ADMIN, USER] = ['a'.repeat(32), 'b'.repeat(32)];
const REASON = 'Seen with two accounts';

/** Acts beside an erasure. @param isErased whether it has taken the user by the time the act is written */
function adminBeside(isErased: boolean) {
  const log: string[] = [];
  const admin = createAdmin({
    audit: {
      write: async ({ action }: { action: string }) => void log.push(action),
      forget: async (whose: string) => void log.push(`forget ${whose}`),
    },
    users: { byId: async () => (isErased ? null : {}), change: async () => null },
    antiCheat: {
      markShared: async () => true,
      clear: async () => undefined,
      addressesOf: async (userId: string) => (userId === USER ? [{ _id: 'k' }] : []),
    },
    sessions: { ofUser: async () => [] },
    rights: { revokeUser: async () => undefined },
    needsSecondFactor: false,
    now: () => 0,
  } as never);
  return { log, admin };
}

const ACTS: [string, (admin: Admin) => Promise<unknown>][] = [
  ['address.shared', (admin) => admin.markAddress(ADMIN, 'k', { shared: true, about: USER, reason: REASON })],
  ['sessions.ended', (admin) => admin.endSessions(ADMIN, USER, { reason: REASON })],
  ['user.cleared', (admin) => admin.changeUser(ADMIN, USER, { cleared: true, reason: REASON })],
  ['role.user', (admin) => admin.changeUser(ADMIN, USER, { admin: false, reason: REASON })],
];

it.each(ACTS)('what %s wrote of a user goes with one who was erased meanwhile, and stays else', async (action, act) => {
  const [beside, after] = [adminBeside(true), adminBeside(false)];
  await act(beside.admin);
  await act(after.admin);
  expect([beside.log, after.log]).toEqual([[action, `forget ${USER}`], [action]]);
});

it('no operator makes the own reduced rate whole, and no such act is written', async () => {
  const { log, admin } = adminBeside(false);
  const own = { status: 403, type: 'own-account' };
  await expect(admin.changeUser(USER, USER, { cleared: true, reason: REASON })).rejects.toMatchObject(own);
  await expect(admin.markAddress(USER, 'k', { shared: true, reason: REASON })).rejects.toMatchObject(own);
  expect(log).toEqual([]);
  await admin.markAddress(USER, 'k', { shared: false, reason: REASON });
  await admin.markAddress(USER, 'other', { shared: true, reason: REASON });
  expect(log).toEqual(['address.unshared', 'address.shared']);
});
