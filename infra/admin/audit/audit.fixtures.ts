import type { AuditEntry } from '@cord/contracts/http/support';
import { at, SAMPLE_NOW_MS, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';

const INES = 'a'.repeat(32);
const OLEK = 'b'.repeat(32);

function line(n: number, action: string, changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: n.toString(16).padStart(32, '0'),
    at: new Date(SAMPLE_NOW_MS - n * 1_260_000).toISOString(),
    ...{ adminId: INES, by: 'ines.ops', action, target: '2c90'.padEnd(32, '0'), on: null, undo: null },
    detail: {},
    ...changes,
  };
}

const ADDRESS = `51f0${'0'.repeat(24)}9bd3`;

export const TRAIL: readonly AuditEntry[] = [
  line(1, 'user.uncleared', {
    on: 'harbour_77',
    undo: 'open',
    detail: { reason: 'It was the wrong account', undoes: '3' },
  }),
  line(2, 'support.answered', { target: '4c12', detail: { kind: 'appeal' } }),
  line(3, 'user.cleared', { on: 'harbour_77', undo: 'done', detail: { reason: 'Household of four, appeal 4c19' } }),
  line(4, 'address.shared', {
    ...{ adminId: OLEK, by: 'olek', target: ADDRESS, undo: 'open' },
    detail: { reason: 'A student hall' },
    requestId: '9c55d1f0-7e0a',
  }),
  line(5, 'user.looked-up', { adminId: OLEK, by: 'olek', on: 'harbour_77', detail: { at: 'ledger' } }),
  line(6, 'role.admin', {
    adminId: '0'.repeat(32),
    by: null,
    on: 'olek',
    undo: 'open',
    detail: { by: 'ADMIN_DISCORD_IDS' },
  }),
  line(7, 'epoch.update', {
    target: 'gamma',
    requestId: '7b1e2a44-01bc',
    detail: {
      reason: 'As announced',
      before: { id: 'gamma', name: 'Epoch Gamma', multiplierHundredths: 120, startAt: 1_795_742_700_000 },
      after: { id: 'gamma', name: 'Epoch Gamma', multiplierHundredths: 125, startAt: 1_795_746_300_000 },
    },
  }),
  line(8, 'task.create', {
    target: 'join-telegram',
    detail: { before: null, after: { id: 'join-telegram', title: 'Join Telegram', rewardMicro: '60000000' } },
  }),
  line(9, 'referral.release', { on: 'olek', detail: { before: 'held', after: 'release', reason: 'Two flats' } }),
];

/** An sdk of an operator who has Audit open. Its server filters the entries. */
export function auditSdk(options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  sdk.tabs.setParam('admin', 'view', 'audit');
  const person = {
    account_age: 4,
    joinedAt: '2025-11-21T00:00:00Z',
    lastSignInAt: '2026-11-21T00:00:00Z',
    network: null,
  };
  sdk.api
    .on(at.admin.users, {
      users: [
        { id: INES, username: 'ines.ops', isAdmin: true, ...person },
        { id: OLEK, username: 'olek', isAdmin: true, ...person },
      ],
      nextCursor: null,
    })
    .on(at.support.audit, ({ query }) => ({
      entries: TRAIL.filter(
        ({ adminId, action, on, target }) =>
          (query?.by === undefined || adminId === query.by) &&
          (query?.act === undefined || query.act.split(',').includes(action)) &&
          (query?.on === undefined || [on, target].includes(query.on)),
      ),
      nextCursor: null,
      missing: [],
    }))
    .on(at.admin.undo, { undone: true });
  return sdk;
}
