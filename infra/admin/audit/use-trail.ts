import * as at from '@cord/contracts/addresses/admin';
import { RELEASE_ACTS } from '@cord/contracts/addresses/releases';
import * as support from '@cord/contracts/addresses/support';
import type { AuditEntry } from '@cord/contracts/http/support';
import { NETWORK_KEYS } from '../network/use-network';
import { useActWrite } from '../room/act-write';
import { OPERATORS, pageFrom, TRAIL, useRead } from '../room/reads';

const LIST_MS = 10_000;

/** The groups of acts that the filter offers. */
export const GROUPS = {
  all: [],
  network: ['user.cleared', 'user.uncleared', 'address.shared', 'address.unshared'],
  support: ['support.answered', 'support.closed'],
  rights: ['role.admin', 'role.user', 'sessions.ended'],
  tasks: [
    'task.create',
    'task.update',
    'task.remove',
    'epoch.create',
    'epoch.update',
    'epoch.remove',
    'epoch.taken-back',
    'epoch.rejoined',
    'rules.proposed',
    'rules.confirmed',
    'rules.withdrawn',
  ],
  money: [
    'payment.recorded',
    'refund.returned',
    'credit.retried',
    'correction.proposed',
    'correction.confirmed',
    'correction.withdrawn',
    'referral.release',
    'referral.refuse',
    'referral.hold',
  ],
  looks: ['user.looked-up', 'address.looked-up', 'support.looked-up'],
  switches: ['switch.on', 'switch.off'],
  modules: RELEASE_ACTS.map((act) => `module.${act}` as const),
  system: ['key.rotate', 'key.revoke', 'data.import', 'log.begin', 'log.continue', 'dead-letter.retry'],
} as const satisfies Record<string, readonly string[]>;
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as [Group, ...Group[]];

/** A filter of the audit log. A field that is left out matches everything. */
export interface Filter {
  group?: Group;
  /** An operator's id. */
  by?: string | null;
  /** A target, or an account's name. */
  on?: string | null;
  /** UTC days, such as `2026-11-21`. */
  from?: string | null;
  to?: string | null;
}

/** Reads a page of the audit log, newest entry first. */
export function useTrail({ group = 'all', by, on, from, to }: Filter, cursor: string | null) {
  const acts = GROUPS[group].join(',');
  const filters = {
    act: acts || null,
    by,
    on,
    from: from ? `${from}T00:00:00Z` : null,
    to: to ? `${to}T23:59:59.999Z` : null,
  };
  const query = Object.fromEntries(
    Object.entries(filters).filter((pair): pair is [string, string] => Boolean(pair[1])),
  );
  return useRead(support.audit, {
    key: [...TRAIL, query, cursor],
    query: { ...pageFrom(cursor), ...query },
    keepPrevious: true,
    staleTime: LIST_MS,
  });
}

/** Reads the operators that the filter offers. */
export function useOperators() {
  return useRead(at.users, {
    key: [OPERATORS, 'users', 'operators'],
    query: { role: 'admin', ...pageFrom(null) },
    staleTime: 60_000,
  });
}

/** Undoes an entry. The undo is an entry of its own that refers to it. */
export function useUndo(entry: AuditEntry, onSuccess: () => void) {
  return useActWrite<string, unknown>(
    (api, reason) => api.call(at.undo, { params: { id: entry.id }, body: { reason } }),
    {
      key: [OPERATORS, 'undo', entry.id],
      refresh: [...NETWORK_KEYS, [OPERATORS, 'overview']],
      onDone: onSuccess,
    },
  );
}

/** Views of an account by one operator within this time are shown as one, ms. */
const LOOK_MS = 600_000;

/**
 * Merges entries for display. Each service records on its own that an operator viewed an account; the entries of one operator and account
 * become one, which lists everything viewed in order of time and takes the place of the newest.
 *
 * @param entries newest first
 */
export function groupViews(entries: readonly AuditEntry[]): AuditEntry[] {
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
