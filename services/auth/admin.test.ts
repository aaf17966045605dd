import { describe, expect, it } from 'vitest';
import { type Admin, createAdmin } from './admin.js';
import { createAddressStore } from './anticheat/addresses.js';
import { hash32 } from './test/events.js';
import { actsOn, networkChecksOfTests } from './test/network-checks.js';

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
      address: async () => null,
      standings: async () => new Map(),
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

it.each(ACTS)(
  'what %s logged about a user is deleted if the user was erased meanwhile, and kept otherwise',
  async (action, act) => {
    const [beside, after] = [adminBeside(true), adminBeside(false)];
    await act(beside.admin);
    await act(after.admin);
    expect([beside.log, after.log]).toEqual([[action, `forget ${USER}`], [action]]);
  },
);

it('an operator cannot restore their own reduced rate, and the attempt is not logged', async () => {
  const { log, admin } = adminBeside(false);
  const own = { status: 403, type: 'own-account' };
  await expect(admin.changeUser(USER, USER, { cleared: true, reason: REASON })).rejects.toMatchObject(own);
  await expect(admin.markAddress(USER, 'k', { shared: true, reason: REASON })).rejects.toMatchObject(own);
  expect(log).toEqual([]);
  await admin.markAddress(USER, 'k', { shared: false, reason: REASON });
  await admin.markAddress(USER, 'other', { shared: true, reason: REASON });
  expect(log).toEqual(['address.unshared', 'address.shared']);
});

it('a role change is rejected with 409 if the account changed while the act stalled after its audit line', async () => {
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

describe('an act on the network check that stalls after its audit line', () => {
  const { backend, clock, checkWith, miner } = networkChecksOfTests();
  /** An act of one operator, in whose midst others do theirs. */
  const stalled = (act: (admin: Admin) => Promise<unknown>, others: () => Promise<unknown>) => {
    const audit = { write: others };
    const [users, antiCheat] = [{ byId: async () => ({}) }, checkWith()];
    return act(createAdmin({ audit, users, antiCheat, needsSecondFactor: false, now: () => clock.nowMs } as never));
  };
  const refused = { status: 409, type: 'no-longer-so' };

  it.each([true, false])('does not set cleared to %s if others set and reverted it meanwhile', async (isCleared) => {
    const [userId, check] = [await miner({ alone: 60 }), checkWith()];
    const clearedOf = async () => (await check.standings([userId])).get(userId)?.cleared ?? false;
    if (!isCleared) await actsOn(check).clear(userId, true);
    const act = (admin: Admin) => admin.changeUser(ADMIN, userId, { cleared: isCleared, reason: REASON });
    const turned = stalled(act, async () => {
      clock.nowMs += 1;
      await actsOn(check).clear(userId, isCleared);
      await actsOn(check).clear(userId, !isCleared);
    });
    await expect(turned).rejects.toMatchObject(refused);
    expect(await clearedOf()).toBe(!isCleared);
    // Another has done the same.
    await stalled(act, () => actsOn(check).clear(userId, isCleared));
    expect(await clearedOf()).toBe(isCleared);
  });

  it.each([true, false])(
    'does not set shared to %s on an address if others set and reverted it meanwhile',
    async (shared) => {
      const [address, check, addresses] = [`hall ${shared}`, checkWith(), createAddressStore(backend.store)];
      await addresses.note(hash32(address), 1, clock.nowMs);
      if (!shared) await actsOn(check).markShared(hash32(address), true);
      const act = (admin: Admin) => admin.markAddress(ADMIN, hash32(address), { shared, reason: REASON });
      const turned = stalled(act, async () => {
        clock.nowMs += 1;
        await actsOn(check).markShared(hash32(address), shared);
        await actsOn(check).markShared(hash32(address), !shared);
      });
      await expect(turned).rejects.toMatchObject(refused);
      expect(await addresses.isShared(hash32(address))).toBe(!shared);
      expect(await stalled(act, () => actsOn(check).markShared(hash32(address), shared))).toBe(true);
      expect(await addresses.isShared(hash32(address))).toBe(shared);
    },
  );
});
