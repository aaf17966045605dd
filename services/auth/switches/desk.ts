import { SWITCHES_OFF_MAX, type SwitchName } from '@cord/contracts/switches';
import type { AuditLog } from '@cord/kit/audit-log';
import { refused } from '@cord/kit/problem';
import { alreadyChanged } from '@cord/kit/second-operator';
import type { VersionedDocuments } from '@cord/kit/versioned';
import { ALL, type SwitchesDocument, type SwitchOff, spansAfter } from './store.js';

/** An action on a switch. */
interface SwitchAct {
  name: SwitchName;
  on: boolean;
  why: string;
  /** An admin's id, or the operator's name. */
  by: string;
  /** The entry of the audit log that it undoes. */
  undoes?: string;
}

/** Lets operators switch parts of the system off and on. */
export type SwitchDesk = ReturnType<typeof createSwitchDesk>;

/** @param publish announces a change of the switches to every service; after an error some may receive it a heartbeat later */
export function createSwitchDesk(deps: {
  switches: VersionedDocuments<SwitchesDocument>;
  audit: Pick<AuditLog, 'write'>;
  publish: () => Promise<void>;
  now: () => number;
}) {
  const { switches, audit, publish, now } = deps;
  let publishedSeq: bigint | undefined;
  return {
    off: async (): Promise<readonly SwitchOff[]> => (await switches.get(ALL))?.off ?? [],
    /**
     * Throws one switch; it takes effect everywhere within a second. A repetition changes only `by` and `why`.
     * @param adminId for the audit log, written before the action
     * @throws Problem 422 when too many are off, 409 when switches were changed between the two
     */
    async act(act: SwitchAct, adminId: string) {
      const off = await throwSwitch({ switches, audit, now }, act, adminId);
      await publish();
      return off;
    },
    /** Publishes changes by another process: another replica, or `npx cord switch`. */
    async watch() {
      const seq = (await switches.get(ALL))?.seq ?? 0n;
      const isNew = publishedSeq !== undefined && seq !== publishedSeq;
      if (isNew) await publish();
      publishedSeq = seq;
    },
  };
}

/** Logs the action, then does it if the switches are unchanged since: a delayed action must not undo a later one. */
export async function throwSwitch(
  deps: { switches: VersionedDocuments<SwitchesDocument>; audit: Pick<AuditLog, 'write'>; now: () => number },
  { name, on, why, by, undoes }: SwitchAct,
  adminId: string,
): Promise<readonly SwitchOff[]> {
  const { switches, audit, now } = deps;
  const detail = { why, by, ...(undoes ? { undoes } : {}) };
  const { seq } = (await switches.get(ALL)) ?? { seq: 0n };
  await audit.write({ adminId, action: on ? 'switch.on' : 'switch.off', target: name, detail });
  return switches.change(ALL, (document) => {
    if (document.seq !== seq) throw alreadyChanged();
    const others = document.off.filter((one) => one.name !== name);
    if (!on && others.length >= SWITCHES_OFF_MAX) throw refused('too-many-switches', 'Too many switches are off');
    const nowMs = now();
    const { atMs = nowMs } = document.off.find((one) => one.name === name) ?? {};
    const off = on ? others : [...others, { name, why, by, atMs }];
    return { doc: { ...document, off, spans: spansAfter(document, { name, on }, nowMs) }, result: off };
  });
}
