import { at, problem, SAMPLE_NOW_MS, type TestSdk } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import languageFile from '../languages/de.json';
import { openRoom, testsOfView } from '../room/testing';
import { BOOKS } from '../rules/rules.fixtures';
import { ACT_TEXTS } from './act-texts';
import { auditSdk, TRAIL } from './audit.fixtures';
import { GROUPS } from './use-trail';

testsOfView('audit');

async function open(sdk: TestSdk) {
  const view = await openRoom(sdk);
  await screen.findByRole('heading', { level: 1, name: 'Audit' });
  await settle();
  return view;
}

/** Operators read each act that they can look for in their language, and none of them as its code. */
const ACTS = Object.entries<readonly string[]>(GROUPS).filter(([group]) => group !== 'all');

const rows = () => screen.getAllByRole('row').slice(1);
const lastQuery = (sdk: TestSdk) => sdk.api.callsOf(at.support.audit).at(-1)?.query;

test('each entry shows actor, act, target and reason; an undone act and its undo are marked', async () => {
  await open(auditSdk());
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    '21 Nov, 10:42:17ines.opsNetwork check resumedharbour_77harbour_77Clean, ×1set by the network checkUndoes an earlier action. It was the wrong account–Undo',
    '21 Nov, 10:21:17ines.opsRequest answered4c124c12openansweredKind: appeal–',
    '21 Nov, 10:00:17ines.opsNetwork penalty clearedharbour_77harbour_77set by the network checkClean, ×1Household of four, appeal 4c19–Undone',
    '21 Nov, 09:39:17olekAddress marked as shared51f0…9bd351f0…9bd3countedshared, ×1A student hall9c55Undo',
    '21 Nov, 09:18:17olekAccount viewedharbour_77harbour_77––Viewed: ledger–',
    '21 Nov, 08:57:17systemMade an operatorolekolekuseroperatorBy: ADMIN_DISCORD_IDS–Undo',
    '21 Nov, 08:36:17ines.opsEpoch changedgammagammamultiplier ×1.2, begins 27 Nov 2026, 01:25multiplier ×1.25, begins 27 Nov 2026, 02:25As announced7b1e',
    '21 Nov, 08:15:17ines.opsTask createdjoin-telegramjoin-telegram–Join Telegram–',
    '21 Nov, 07:54:17ines.opsBonus releasedolekolekheldreleasedTwo flats–',
  ]);
  expect(screen.getByText('9c55').title).toBe('9c55d1f0-7e0a');
});

test('a reward that changes by less than 0.01 CORD is shown with every digit', async () => {
  const sdk = auditSdk();
  const [, , , , , , changed] = TRAIL;
  if (changed === undefined) throw new Error('no change in the trail');
  const detail = { before: { rewardMicro: '60000000' }, after: { rewardMicro: '60000001' } };
  sdk.api.on(at.support.audit, { entries: [{ ...changed, detail }], nextCursor: null, missing: [] });
  await open(sdk);
  expect(rows()[0]?.textContent).toContain('base reward 60.00base reward 60.000001');
});

/** The text of the one line of a trail. */
async function lineOf(action: string, detail: Record<string, unknown>): Promise<string | null | undefined> {
  const sdk = auditSdk();
  const [first] = TRAIL;
  if (first === undefined) throw new Error('no line in the trail');
  const entry = { ...first, action, target: 'epochs', on: null, undo: null, detail };
  sdk.api.on(at.support.audit, { entries: [entry], nextCursor: null, missing: [] });
  await open(sdk);
  return rows()[0]?.textContent;
}

test('a change of the rules shows its numbers in readable units, and from when it applies', async () => {
  const reason = 'As announced';
  const [before, after] = BOOKS.slice(1);
  const confirmed = { reason, before: { book: before, proposals: 1 }, after: { book: after, proposals: 0 } };
  expect(await lineOf('rules.confirmed', confirmed)).toContain(
    'Base rate 0.500000 CORD/minBase rate 0.600000 CORD/min, begins 22 Nov 2026, 07:03As announced',
  );
  cleanup();
  const changes = { checkinMicro: 40_000_000, tiers: [{ fromYears: 3, hundredths: 220 }] };
  const proposal = { id: 'a'.repeat(32), fromMs: SAMPLE_NOW_MS, changes, proposedBy: 'b', proposedAtMs: SAMPLE_NOW_MS };
  expect(await lineOf('rules.proposed', { reason, before: null, after: proposal })).toContain(
    '–Daily check-in 40 CORD, Multiplier from 3 years ×2.2, begins 21 Nov 2026, 11:03As announced',
  );
});

test('an entry of another release with missing fields is still shown', async () => {
  const detail = { before: null, after: { id: 'a1', changes: { baseNano: 600_000_000 } } };
  expect(await lineOf('rules.proposed', detail)).toContain('Base rate 0.600000 CORD/min, begins –');
});

test('no fact of an entry is shown as a number of ms or as an object', async () => {
  const epochs = [{ id: 'alpha', name: 'Epoch Alpha', startAt: 0 }];
  expect(await lineOf('epoch.taken-back', { epochs, books: BOOKS.slice(0, 2), proposals: [] })).toContain(
    'Epochs: Epoch Alpha, Versions of the rules: 1, 2',
  );
  cleanup();
  const returned = { returnTransaction: '5xTr', returnedAtMs: SAMPLE_NOW_MS, note: null };
  expect(await lineOf('refund.returned', returned)).toContain('Transaction: 5xTr, Returned: 21 Nov 2026, 11:03');
});

test('one view of an account is one entry, whichever services recorded it', async () => {
  const sdk = auditSdk();
  const [, , , , look] = TRAIL;
  if (look === undefined) throw new Error('no look in the trail');
  const before = (minutes: number) => new Date(Date.parse(look.at) - minutes * 60_000).toISOString();
  const looks = [
    { ...look, id: '51' },
    { ...look, id: '52', at: before(0.01), detail: { at: 'network' } },
    { ...look, id: '53', at: before(0.02), detail: { at: 'record' } },
    { ...look, id: '54', at: before(0.5), adminId: 'a'.repeat(32), by: 'ines.ops', detail: { at: 'record' } },
    { ...look, id: '55', at: before(1), on: 'gus', target: 'f'.repeat(32), detail: { at: 'network' } },
    { ...look, id: '56', at: before(2), action: 'role.admin' },
    { ...look, id: '57', at: before(11), detail: { at: 'ledger' } },
  ];
  sdk.api.on(at.support.audit, { entries: looks, nextCursor: null, missing: [] });
  await open(sdk);
  expect(rows().map((row) => row.textContent?.replace(/^.*(olek|ines)/, '$1'))).toEqual([
    expect.stringContaining('Viewed: account, network record, ledger'),
    expect.stringMatching(/^ines.*Viewed: account–$/),
    expect.stringMatching(/^olek.*gus.*Viewed: network record–$/),
    expect.stringMatching(/operator/),
    expect.stringMatching(/^olek.*Viewed: ledger–$/),
  ]);
});

test.each(ACTS)('acts of %s have texts in English and German', (_group, acts) => {
  const english = ACT_TEXTS.get();
  const german = languageFile['operators-acts'];
  expect(acts.filter((act) => !(act in german) || !(act in english))).toEqual([]);
  expect(Object.keys(english).sort()).toEqual(Object.keys(german).sort());
});

test('each act with a text belongs to one kind of the filter', () => {
  const named = Object.keys(ACT_TEXTS.get()).filter((name) => !/^(fact|is)\./.test(name));
  expect(ACTS.flatMap(([, acts]) => acts).sort()).toEqual(named.sort());
});

test('actor, kind, target and dates are filtered by the server, and are kept in the address', async () => {
  const { user, sdk } = await open(auditSdk());
  await user.click(screen.getByRole('radio', { name: 'Network' }));
  await user.click(screen.getByRole('radio', { name: 'olek' }));
  expect(rows().map((row) => within(row).getByRole('rowheader').textContent)).toEqual(['olek']);
  await user.keyboard('/');
  (document.activeElement as HTMLElement).focus();
  await user.type(screen.getByRole('searchbox'), 'harbour_77');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-20' } });
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-21' } });
  await settle(400);
  expect(lastQuery(sdk)).toEqual({
    limit: '25',
    act: 'user.cleared,user.uncleared,address.shared,address.unshared',
    by: 'b'.repeat(32),
    on: 'harbour_77',
    from: '2026-11-20T00:00:00Z',
    to: '2026-11-21T23:59:59.999Z',
  });
  expect(sdk.tabs.params.get().admin).toMatchObject({ acts: 'network', on: 'harbour_77', from: '2026-11-20' });
});

test('missing services are named, a new filter starts at the first page, and an undone act has no panel', async () => {
  const sdk = auditSdk();
  sdk.tabs.setParam('admin', 'undo', TRAIL[2]?.id ?? null);
  sdk.api.on(at.support.audit, { entries: [...TRAIL], nextCursor: 'older', missing: ['tasks', 'rewards'] });
  const { user } = await open(sdk);
  expect(screen.getByText(/^tasks, rewards/)).toBeDefined();
  expect(screen.queryByTestId('confirm')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Older' }));
  expect(lastQuery(sdk)).toEqual({ limit: '25', cursor: 'older' });
  sdk.api.on(at.support.audit, { entries: [], nextCursor: null, missing: [] });
  await user.click(screen.getByRole('radio', { name: 'olek' }));
  await settle();
  expect(lastQuery(sdk)).toEqual({ limit: '25', by: 'b'.repeat(32) });
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('No actions found');
  cleanup();
  expect(await lineOf('switch.on', { why: 'Mended' })).toContain('offonMended');
});

test('an act is undone by a new entry with a reason; a conflict shows its error in the panel', async () => {
  const { user, sdk } = await open(auditSdk());
  sdk.api.fail(at.admin.undo, problem(409, 'This has changed since or is already undone.', 'no-longer-so'));
  await user.click(screen.getByRole('button', { name: 'Undo Address marked as shared, 51f0…9bd3' }));
  const panel = within(screen.getByTestId('confirm'));
  expect(panel.getByText('Done').nextElementSibling?.textContent).toContain('olek');
  await user.keyboard('Not a hall{Enter}');
  expect(panel.getByText('This has changed since or is already undone.')).toBeDefined();
  sdk.api.on(at.admin.undo, { undone: true });
  await user.keyboard('{Enter}');
  expect(sdk.api.callsOf(at.admin.undo).map(({ params, body }) => [params, body])).toEqual(
    [1, 2].map(() => [{ id: TRAIL[3]?.id }, { reason: 'Not a hall' }]),
  );
  expect(screen.queryByTestId('confirm')).toBeNull();
  expect(sdk.shown.at(-1)?.title).toBe('Undone. It is recorded in Audit.');
});

test('a late response to an undo closes its own panel, not the next one', async () => {
  const sdk = auditSdk();
  const undone = sdk.api.hold(at.admin.undo);
  const { user } = await open(sdk);
  const [first, second] = screen.getAllByRole('button', { name: /^Undo / });
  await user.click(first!);
  await user.keyboard('Not a hall{Enter}');
  await user.click(second!);
  const title = screen.getByTestId('confirm').getAttribute('aria-label');
  undone.answer({ undone: true });
  await settle();
  expect(sdk.shown.at(-1)?.title).toBe('Undone. It is recorded in Audit.');
  expect(screen.getByTestId('confirm').getAttribute('aria-label')).toBe(title);
});

test('an entry of another year shows its year, by the server’s clock; one of this year does not', async () => {
  const sdk = auditSdk();
  const [line] = TRAIL;
  const answer = {
    entries: [{ ...line!, id: 'of-before', at: '2025-11-21T11:03:07.000Z' }, line!],
    nextCursor: null,
    missing: [],
  };
  sdk.api.on(at.support.audit, answer);
  await open(sdk);
  expect(rows()[0]?.textContent).toMatch(/^21 Nov 2025, 11:03:07/);
  expect(rows()[1]?.textContent).toMatch(/^\d+ Nov, /);
});
