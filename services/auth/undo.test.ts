import { AUDIT_LOG, openAuditLog } from '@cord/kit/audit-log';
import { startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, it } from 'vitest';
import { createUndo } from './undo.js';

const backend = forAllTests(() => startTestStore({ data: [AUDIT_LOG] }));
const OPERATOR = 'a'.repeat(32);

/** A cleared user, by an entry of the log, and what undoes it. */
async function cleared(target: string) {
  const audit = openAuditLog(backend.store, { now: () => 1 });
  await audit.write({ adminId: OPERATOR, action: 'user.cleared', target, detail: { reason: 'A household' } });
  const [entry] = await audit.newest({ after: null, limit: 1, filter: { targets: [target] } });
  const user = { cleared: true, isStored: false, fails: false };
  const undo = createUndo({
    audit,
    admin: {
      async changeUser(adminId: string, _target: string, { cleared: _, ...why }: object & { cleared?: boolean }) {
        await audit.write({ adminId, action: 'user.uncleared', target, detail: why });
        if (!user.fails || user.isStored) user.cleared = false;
        if (user.fails) throw new Error('cut short');
      },
    },
    antiCheat: { standings: async () => new Map([[target, { cleared: user.cleared }]]) },
  } as never);
  const id = entry?.id ?? '';
  return {
    user,
    undone: async () => (await audit.undone([id])).has(id),
    act: () => undo.act(OPERATOR, id, 'A mistake'),
  };
}

const refused = expect.objectContaining({ status: 409, type: 'no-longer-so' });

it('an undo that failed does not count and can be retried; once done, it is never repeated', async () => {
  const { user, undone, act } = await cleared('of a failed act');
  user.fails = true;
  await expect(act()).rejects.toThrow('cut short');
  expect(await undone()).toBe(false);
  user.fails = false;
  await act();
  expect([user.cleared, await undone()]).toEqual([false, true]);
  user.cleared = true;
  await expect(act()).rejects.toEqual(refused);
});

it('an undo that is done but could not be announced counts as done', async () => {
  const { user, undone, act } = await cleared('of an act not announced');
  Object.assign(user, { fails: true, isStored: true });
  await expect(act()).rejects.toThrow('cut short');
  expect(await undone()).toBe(true);
  user.cleared = true;
  await expect(act()).rejects.toEqual(refused);
});
