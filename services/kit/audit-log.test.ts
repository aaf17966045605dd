import type { AuditFilter } from '@cord/contracts/rpc/audit';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AUDIT_LOG,
  type AuditEntry,
  auditOrder,
  auditQueries,
  auditRetention,
  NEWEST_FIRST,
  openAuditLog,
} from './audit-log.js';
import { runWithFirstRunId } from './cause.js';
import { startTestStore } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';
import { createTestClock } from './testing/service.js';

const ADMINS = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
const ACTIONS = ['user.cleared', 'address.shared', 'role.admin', 'switch.off'];
const LINES = 120;

const backend = forAllTests(() => startTestStore({ data: [AUDIT_LOG] }));
let log: ReturnType<typeof openAuditLog>;

/** Several lines of each moment, each act by each admin, every tenth line on one target. */
beforeAll(async () => {
  const clock = createTestClock(1_000_000);
  log = openAuditLog(backend.store, clock);
  for (let n = 0; n < LINES; n += 1) {
    if (n % 4 === 0) await clock.advance(1_000);
    await log.write({
      adminId: ADMINS[n % 3] ?? '',
      action: ACTIONS[(n >> 1) % 4] ?? '',
      target: n % 10 === 0 ? 'harbour' : `user ${n}`,
      detail: n === 7 ? { undoes: 'an earlier one' } : {},
    });
  }
});

const FILTERS: AuditFilter[] = [
  {},
  { adminId: ADMINS[1] },
  { actions: ['role.admin', 'address.shared'] },
  { adminId: ADMINS[2], actions: ['user.cleared'] },
  { targets: ['harbour', 'user 3'] },
  { targets: ['harbour'], actions: ['user.cleared', 'switch.off'], adminId: ADMINS[0] },
  { fromMs: 1_005_000, toMs: 1_009_000 },
  { actions: ['nothing'] },
];

it.each(FILTERS)(
  'the pages of %j contain exactly its entries of the whole log, read along an index',
  async (filter) => {
    const all = await log.newest({ after: null, limit: LINES });
    expect(all).toHaveLength(LINES);
    const read: AuditEntry[] = [];
    for (let after: AuditEntry | null = null; ; after = read.at(-1) ?? null) {
      const page = await log.newest({ after, limit: 7, filter });
      read.push(...page);
      if (page.length < 7) break;
    }
    expect(read).toEqual(all.filter((entry) => matches(entry, filter)).sort(auditOrder));

    const after = { atMs: 1_020_000, id: 'f' };
    for (const query of auditQueries({ after, limit: 7, filter })) {
      const explained = await backend.store.db?.command({
        explain: { find: 'audit', ...query, sort: NEWEST_FIRST, limit: 7 },
        verbosity: 'queryPlanner',
      });
      const stages = JSON.stringify(explained?.queryPlanner.winningPlan);
      expect(stages).toContain('IXSCAN');
      expect(stages).not.toMatch(/COLLSCAN|"SORT"/);
    }
  },
);

it('an entry counts as undone only once its undoing is recorded', async () => {
  const [some] = await log.newest({ after: null, limit: 1 });
  expect(await log.undone(['an earlier one', some?.id ?? ''])).toEqual(new Set());
  await log.undid('an earlier one');
  expect(await log.undone(['an earlier one', some?.id ?? ''])).toEqual(new Set(['an earlier one']));
  expect(await log.byId(some?.id ?? '')).toEqual(some);
  expect(await log.byId('f'.repeat(32))).toBeNull();
});

describe('an entry', () => {
  const NOW = Date.UTC(2026, 10, 18, 12);
  const clock = createTestClock(NOW);
  const entryAt = async (atMs: number, more: Partial<AuditEntry> = {}) => {
    const act = { adminId: ADMINS[0] ?? '', action: 'user.cleared', target: 'u', detail: {}, ...more };
    await openAuditLog(backend.store, { now: () => atMs }).write(act);
  };
  const stored = () => AUDIT_LOG.in(backend.store).find().sort({ atMs: 1 }).toArray();
  beforeEach(async () => void (await AUDIT_LOG.in(backend.store).deleteMany({})));

  it('is kept for two years, then deleted by the replica with the lease', async () => {
    const DAY_MS = 86_400_000;
    const times = [NOW - 731 * DAY_MS, NOW - 730 * DAY_MS - 1, NOW - 730 * DAY_MS, NOW];
    for (const atMs of times) await entryAt(atMs);
    const { run } = auditRetention(backend.store, clock);
    const turn = (leased: boolean) => ({ moved: false, lease: async () => leased, rest: () => undefined });
    await run(turn(false));
    expect(await stored()).toHaveLength(4);
    await run(turn(true));
    expect((await stored()).map(({ atMs }) => atMs)).toEqual(times.slice(2));
  });

  it('loses what an operator wrote about a user when that user is erased, and nothing else', async () => {
    const detail = { amount: 5, reason: 'Rita of Hamm wrote twice' };
    await entryAt(1, { target: 'gone', action: 'correction.confirmed', detail });
    await entryAt(2, { target: 'gone', action: 'user.looked-up', detail: { at: 'ledger' } });
    await entryAt(3, { target: 'stays', action: 'correction.confirmed', detail });
    const returned = { returnedAtMs: 7, note: 'By hand', returnTransaction: '5hQ2' };
    await entryAt(4, { target: 'a refund', action: 'refund.returned', detail: returned, about: 'gone' });
    await entryAt(5, { target: 'an address', action: 'address.shared', detail, about: 'stays' });
    for (let n = 0; n < 2; n += 1) await AUDIT_LOG.erase(backend.store, 'gone');
    expect((await stored()).map(({ target, detail: kept }) => [target, kept])).toEqual([
      ['gone', { amount: 5 }],
      ['gone', { at: 'ledger' }],
      ['stays', detail],
      ['a refund', { returnedAtMs: 7 }],
      ['an address', detail],
    ]);
  });

  it('is written once when its call runs again, even with other details; another call adds its own entry', async () => {
    const act = { adminId: ADMINS[0] ?? '', action: 'refund.returned', target: 'a refund' };
    const runAt = (nowMs: number, firstRunId: string) =>
      runWithFirstRunId(firstRunId, () =>
        openAuditLog(backend.store, { now: () => nowMs }).write({ ...act, detail: { returnedAtMs: nowMs } }),
      );
    await runAt(NOW, 'first');
    await runAt(NOW + 60_000, 'first');
    expect(await stored()).toMatchObject([{ ...act, detail: { returnedAtMs: NOW } }]);
    await runAt(NOW + 60_000, 'second');
    expect(await stored()).toHaveLength(2);
    for (const other of [{ adminId: ADMINS[1] ?? '' }, { action: 'payment.recorded' }, { target: 'another' }])
      await runWithFirstRunId('first', () => log.write({ ...act, ...other, detail: {} }));
    expect(await stored()).toHaveLength(5);
  });

  it('about a look is written once in ten minutes per operator, act, target and part', async () => {
    const atMs = (ms: number) => openAuditLog(backend.store, { now: () => NOW + ms });
    const look = { adminId: ADMINS[0] ?? '', action: 'user.looked-up', target: 'u', at: 'ledger' };
    await atMs(0).logView(look);
    // Also by another replica.
    await atMs(599_999).logView(look);
    expect(await stored()).toMatchObject([{ atMs: NOW, target: 'u', detail: { at: 'ledger' } }]);
    await atMs(600_000).logView(look);
    expect(await stored()).toHaveLength(2);
    const { at: _, ...whole } = look;
    for (const other of [{ adminId: ADMINS[1] ?? '' }, { action: 'address.looked-up' }, { target: 'v' }, { at: 'x' }]) {
      for (let n = 0; n < 2; n += 1) await atMs(600_001).logView({ ...look, ...other });
    }
    expect(await stored()).toHaveLength(6);
    const queue = { ...whole, action: 'support.looked-up', target: 'queue' };
    for (let n = 0; n < 2; n += 1) await atMs(600_002).logView(queue);
    expect((await stored()).at(-1)).toMatchObject({ ...queue, detail: {} });
    expect(await stored()).toHaveLength(7);
  });
});

/** Whether an entry is one that a filter requests. */
function matches({ adminId, action, target, atMs }: AuditEntry, filter: AuditFilter): boolean {
  return (
    (filter.adminId === undefined || filter.adminId === adminId) &&
    (filter.actions === undefined || filter.actions.includes(action)) &&
    (filter.targets === undefined || filter.targets.includes(target)) &&
    (filter.fromMs ?? 0) <= atMs &&
    atMs <= (filter.toMs ?? Number.MAX_SAFE_INTEGER)
  );
}
