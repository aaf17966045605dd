import type { AuditEntry } from '@cord/contracts/http/support';

/** So long after a look at an account another one belongs to it, ms. */
export const LOOK_MS = 600_000;

/**
 * The lines as they are listed: each service records for itself that an operator looked at an account, and those lines of one operator and account
 * are one here, with all that was viewed, the first one first. It stands where the newest of them does.
 *
 * @param entries newest first
 */
export function gatherLooks(entries: readonly AuditEntry[]): AuditEntry[] {
  const listed: AuditEntry[] = [];
  for (const entry of entries) {
    const place = listed.findIndex((later) => isSameLook(later, entry));
    const later = listed[place];
    if (later === undefined) listed.push(entry);
    else listed[place] = { ...later, detail: { ...later.detail, at: viewed(entry, later) } };
  }
  return listed;
}

function isSameLook(later: AuditEntry, entry: AuditEntry): boolean {
  return (
    entry.action === 'user.looked-up' &&
    later.action === entry.action &&
    later.adminId === entry.adminId &&
    later.target === entry.target &&
    Date.parse(later.at) - Date.parse(entry.at) < LOOK_MS
  );
}

function viewed(...looks: AuditEntry[]): unknown[] {
  return [...new Set(looks.flatMap(({ detail }) => detail.at ?? []))];
}
