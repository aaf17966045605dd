import type { SwitchName } from '@cord/contracts/switches';
import type { AuditEntry, AuditLog } from '@cord/kit/audit-log';
import { notFound, refused } from '@cord/kit/problem';
import { alreadyChanged } from '@cord/kit/second-operator';
import type { Admin, Reasoned } from './admin.js';
import type { AntiCheat } from './anticheat/port.js';
import type { UserStore } from './store/users.js';
import type { SwitchDesk } from './switches/desk.js';

/** The inverse action of an audit entry. It is logged as an action of its own that names the entry. */
interface Counterpart {
  /** Returns whether the result of the action is still in place. */
  stands(target: string): Promise<boolean>;
  act(adminId: string, entry: AuditEntry, why: Reasoned): Promise<unknown>;
}

export type Undo = ReturnType<typeof createUndo>;

export function createUndo(deps: {
  audit: Pick<AuditLog, 'byId' | 'undone' | 'undid'>;
  admin: Pick<Admin, 'changeUser' | 'markAddress'>;
  antiCheat: Pick<AntiCheat, 'standings' | 'address'>;
  users: Pick<UserStore, 'byId'>;
  switches: Pick<SwitchDesk, 'off' | 'act'>;
}) {
  const { audit, admin, antiCheat, users, switches } = deps;

  const cleared = (is: boolean): Counterpart => ({
    stands: async (userId) => ((await antiCheat.standings([userId])).get(userId)?.cleared ?? false) === is,
    act: (by, { target }, why) => admin.changeUser(by, target, { cleared: !is, ...why }),
  });
  const shared = (is: boolean): Counterpart => ({
    stands: async (key) => (await antiCheat.address(key))?.shared === is,
    act: (by, { target, about }, why) => admin.markAddress(by, target, { shared: !is, about, ...why }),
  });
  const role = (isAdmin: boolean): Counterpart => ({
    stands: async (userId) => (await users.byId(userId))?.isAdmin === isAdmin,
    act: (by, { target }, why) => admin.changeUser(by, target, { admin: !isAdmin, ...why }),
  });
  const thrown = (on: boolean): Counterpart => ({
    stands: async (name) => !(await switches.off()).some((one) => one.name === name) === on,
    act: (by, { target }, { reason, undoes }) =>
      switches.act({ name: target as SwitchName, on: !on, why: reason, by, ...(undoes ? { undoes } : {}) }, by),
  });
  const counterparts = new Map<string, Counterpart>([
    ['user.cleared', cleared(true)],
    ['user.uncleared', cleared(false)],
    ['address.shared', shared(true)],
    ['address.unshared', shared(false)],
    ['role.admin', role(true)],
    ['role.user', role(false)],
    ['switch.on', thrown(true)],
    ['switch.off', thrown(false)],
  ]);

  return {
    /** Returns whether actions of this name can be undone here. */
    has: (action: string) => counterparts.has(action),
    /**
     * @throws Problem 404 for no entry of this service's log, 422 for one that cannot be undone, 409 when it is no longer in place
     */
    async act(adminId: string, entryId: string, reason: string) {
      const entry: AuditEntry | null = await audit.byId(entryId);
      if (!entry) throw notFound('no-such-entry', 'This audit entry does not exist or belongs to another service.');
      const counterpart = counterparts.get(entry.action);
      if (!counterpart) throw refused('no-undo', 'This action cannot be undone.');
      const isUndone = (await audit.undone([entryId])).has(entryId);
      const stands = await counterpart.stands(entry.target);
      // A process may have ended between an undo and its note.
      if (!stands) await audit.undid(entryId);
      if (isUndone || !stands) throw alreadyChanged();
      try {
        await counterpart.act(adminId, entry, { reason, undoes: entryId });
      } catch (error) {
        // A change that only failed to be announced is done; anything else can be retried.
        if (!(await counterpart.stands(entry.target))) await audit.undid(entryId);
        throw error;
      }
      await audit.undid(entryId);
    },
  };
}
