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

it('a role whose act stalled behind its line in the log is not given once the account has changed meanwhile', async () => {
  let user = { seq: 1, isAdmin: false, roleFrom: null };
  const published: string[] = [];
  const admin = createAdmin({
    // Given, and taken again, by others.
    audit: {
      write: async () => {
        user = { ...user, seq: 3 };
      },
    },
    users: {
      byId: async () => user,
      async change(_id: string, _nowMs: number, step: (now: object) => { set: object } | null) {
        const change = step(user);
        if (change) user = { ...user, ...change.set, seq: user.seq + 1 };
        return user;
      },
    },
    rights: { publishRole: async (id: string) => void published.push(id) },
    send: () => undefined,
    needsSecondFactor: false,
    now: () => 0,
  } as never);
  const act = admin.changeUser(ADMIN, USER, { admin: true, reason: REASON });
  await expect(act).rejects.toMatchObject({ status: 409, type: 'no-longer-so' });
  expect([user.isAdmin, published]).toEqual([false, []]);
  await admin.setAdmin(USER, true);
  expect([user.isAdmin, published]).toEqual([true, [USER]]);
});
