import { rangesAfter } from '@cord/kit/keyset';
import { startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, expect, it } from 'vitest';
import { data } from '../data.js';
import type { SupportDoc } from '../domain/support-events.js';
import { createSupportStore, filterOf, QUEUE_ORDER, type SupportFilter, WAITING_COUNTED } from './support.js';

const CASES = 90;
const PAGE = 4;
const STATUSES = ['open', 'answered', 'closed'] as const;
const KINDS = ['support', 'appeal', 'refund'] as const;

const backend = forAllTests(() => startTestStore({ data }));
let support: ReturnType<typeof createSupportStore>;

const idOf = (n: number) => ((n * 37) % 256).toString(16).padStart(2, '0').repeat(16);

function caseOf(n: number): SupportDoc {
  return {
    _id: idOf(n),
    userId: idOf(n % 7),
    kind: KINDS[n % 3] ?? 'support',
    subject: `Case ${n}`,
    text: 'Please look.',
    status: STATUSES[(n >> 1) % 3] ?? 'open',
    answer: null,
    priority: n % 5 === 0,
    // Several of each moment.
    createdAtMs: 1_000 + (n % 9),
    answeredAtMs: null,
  };
}

const byQueue = (a: SupportDoc, b: SupportDoc) =>
  Number(b.priority) - Number(a.priority) || a.createdAtMs - b.createdAtMs || (a._id < b._id ? -1 : 1);

beforeAll(async () => {
  support = createSupportStore(backend.store);
  for (let n = 0; n < CASES; n += 1) await support.insert(caseOf(n));
});

const ALL: SupportFilter = { status: null, kind: null, found: null };

it.each<[string, SupportFilter, (one: SupportDoc) => boolean]>([
  ['everything', ALL, () => true],
  ['a status', { ...ALL, status: 'open' }, ({ status }) => status === 'open'],
  ['a kind', { ...ALL, kind: 'refund' }, ({ kind }) => kind === 'refund'],
  [
    'a kind in a status',
    { ...ALL, status: 'answered', kind: 'appeal' },
    (one) => one.status === 'answered' && one.kind === 'appeal',
  ],
])('pages of %s read an index and together form the whole queue', async (_, wanted, isWanted) => {
  const read: SupportDoc[] = [];
  for (let after: SupportDoc | null = null; ; after = read.at(-1) ?? null) {
    const page: SupportDoc[] = await support.queue({ ...wanted, after, limit: PAGE });
    read.push(...page);
    if (page.length < PAGE) break;
  }
  const ids = [...Array(CASES).keys()]
    .map(caseOf)
    .filter(isWanted)
    .sort(byQueue)
    .map(({ _id }) => _id);
  expect(read.map(({ _id }) => _id)).toEqual(ids);

  const place = { priority: true, createdAtMs: 1_004, _id: 'f' };
  for (const range of [{}, ...rangesAfter(QUEUE_ORDER, place)]) {
    const explained = await backend.store.db?.command({
      explain: {
        find: 'support_requests',
        filter: { ...filterOf(wanted), ...range },
        sort: Object.fromEntries(QUEUE_ORDER),
        limit: PAGE,
      },
      verbosity: 'queryPlanner',
    });
    const stages = JSON.stringify(explained?.queryPlanner.winningPlan);
    expect(stages).toContain('IXSCAN');
    expect(stages).not.toMatch(/COLLSCAN|"SORT"/);
  }
});

it('a search in the queue continues after a cursor', async () => {
  const found = { userIds: [idOf(1), idOf(2)], idPrefix: idOf(3).slice(0, 2) };
  const whole = await support.queue({ ...ALL, found, after: null, limit: CASES });
  expect(whole.length).toBeGreaterThan(PAGE);
  const [first, ...rest] = whole;
  expect(await support.queue({ ...ALL, found, after: first ?? null, limit: CASES })).toEqual(rest);
});

it('open requests are counted up to a limit, and marked as more beyond it', async () => {
  const waiting = await support.waiting();
  const open = [...Array(CASES).keys()].map(caseOf).filter(({ status }) => status === 'open');
  for (const { kind, ...counted } of waiting) {
    const mine = open.filter((one) => one.kind === kind);
    expect(counted).toMatchObject({
      open: mine.length,
      more: false,
      priority: mine.filter(({ priority }) => priority).length,
    });
  }
  const many = Array.from({ length: WAITING_COUNTED + 1 }, (_, n) => ({
    ...caseOf(0),
    _id: `more ${n}`,
    status: 'open',
    kind: 'appeal',
  }));
  await backend.store.collection<{ _id: string }>('support_requests').insertMany(many);
  const appeals = (await support.waiting()).find(({ kind }) => kind === 'appeal');
  expect(appeals).toMatchObject({ open: WAITING_COUNTED, more: true, priority: WAITING_COUNTED });
});
