import { at, offline, problem, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sampleRefund } from '../refunds/refunds.fixtures';
import { openRoom, testsOfView } from '../room/testing';
import {
  overviewSdk,
  SAMPLE_OUTAGE_NODES,
  SAMPLE_OUTAGES,
  SAMPLE_PAUSED,
  sampleIssued,
  sampleOverview,
} from './overview.fixtures';

testsOfView('overview');

async function open(prepare: (sdk: TestSdk) => void = () => undefined, sdk = overviewSdk()) {
  prepare(sdk);
  return openRoom(sdk);
}

const unusual = () => screen.getByTestId('unusual').textContent;
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('an operator sees figures, what waits, and that all is well', async () => {
  await open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Overview');
  expect(unusual()).toBe('Everything is running normally.');
  const terms = screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(Object.fromEntries(terms)).toMatchObject({
    'Active nodes': '219',
    'Online now': '94',
    // Everything credited, not mining alone.
    'Total issued': '9,480.1K',
    'Ledger drift': '0',
    'Appeals, open': '3, oldest 5 h 20 min',
    'Refunds, open': '2, oldest 1 h 4 min1 from a badge holder',
    'Support, open': '0',
    'Addresses with 3 or more miners': '6',
  });
});

test('what is not as usual stands first, the gravest on top', async () => {
  await open(({ api }) => {
    api.healthy = { status: 'down', services: { auth: 'ok', rewards: 'down' } };
    const [first, ...streams] = sampleOverview().streams;
    const full = first && { ...first, bytes: first.limitBytes * 0.8 };
    api.on(
      at.overview.overview,
      sampleOverview({
        deadLetters: 1,
        parkedCredits: { count: 2, more: false, oldestAt: null, missing: ['tasks'] },
        streams: full ? [full, ...streams] : [],
        switchesOff: ['claims'],
      }),
    );
    const audit = { at: '2026-11-20T18:00:00Z', accounts: 9, drift: 0.000001 };
    const root = {
      day: '2026-11-18',
      at: '2026-11-19T00:10:03Z',
      accounts: 9,
      size: 3,
      late: true,
      memo: null,
      witnesses: [],
    };
    api.on(at.overview.issued, sampleIssued('30d', { audit, root }));
  });
  const sentences = within(screen.getByTestId('unusual')).getAllByRole('listitem');
  expect(sentences.map((sentence) => sentence.textContent)).toEqual([
    'rewards is not responding normally.',
    'The last audit found a drift of 0.000001 CORD.',
    'The root of the day after 18 Nov 2026 is not published.',
    '2 pending credits were refused by the ledger and need an operator.',
    'tasks did not respond. Its refused credits are not counted.',
    '1 dead letter waits for npx cord dead-letters.',
    'The stream CORD_BALANCE is 80% full.',
    'claims is switched off.',
  ]);
});

test.each([
  ['refused credits', 'Credits refused by the ledger', 'credits'],
  ['payments to refund', 'Payments to refund', 'refunds'],
])('the count of %s leads to their list', async (_of, name, view) => {
  const { user } = await open(({ api }) => {
    const parkedCredits = { count: 1, more: false, oldestAt: null, missing: [] };
    api.on(at.overview.overview, sampleOverview({ parkedCredits }));
    api.on(at.operations.parkedCredits, { credits: [], nextCursor: null, missing: [] });
    api.on(at.rewards.refunds, { refunds: [sampleRefund(1)], nextCursor: null });
  });
  const link = screen.getByText(name).nextElementSibling?.querySelector('a');
  expect(link?.getAttribute('href')).toBe(`?tab=admin&view=${view}`);
  await user.click(link as HTMLElement);
  expect(screen.getByTestId(`operators-${view}`)).toBeDefined();
});

test('an audit and a root that could not be read are not as usual', async () => {
  const { sdk } = await open(({ api }) => void api.fail(at.overview.issued, problem(503, 'away')));
  expect(unusual()).toBe('The audit and the root could not be read.');
  sdk.api.on(at.overview.issued, sampleIssued('30d'));
  await settle(31_000);
  expect(unusual()).toBe('Everything is running normally.');
  sdk.api.fail(at.overview.issued, problem(503, 'away'));
  await settle(31_000);
  expect(unusual()).toBe('The audit and the root could not be read.');
});

test('outages of the check-in stand with how long they lasted and how many streaks they touched; none is stated as none', async () => {
  await open(({ api }) => {
    const lasting = { from: '2026-11-21T10:51:00.000Z', to: null, days: [] };
    const uncounted = { from: '2026-11-18T22:00:00.000Z', to: '2026-11-18T23:00:00.000Z', days: ['2026-11-18'] };
    const { outages, days } = SAMPLE_OUTAGES;
    api.on(at.checkin.outages, {
      outages: [lasting, ...outages, uncounted],
      days: [...days, { dayKey: '2026-11-18', reason: 'outage', kept: null }],
    });
    api.on(at.overview.outageNodes, SAMPLE_OUTAGE_NODES);
  });
  const table = screen.getByRole('table', { name: 'Check-in outages' });
  const [, ...rows] = within(table).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['since 21 Nov, 10:51', '12 min', 'None affected', '–'],
    ['19 Nov, 22:10 to 22:55', '45 min', '214 streaks kept', '12 paused, 1 corrected'],
    ['12 Nov, 09:00 to 09:04', '4 min', 'None affected', 'None paused'],
    ['18 Nov, 22:00 to 23:00', '1 h', 'Kept, being counted', '–'],
  ]);
});

test('the nodes that paused in an outage are listed by a press, page by page, and hidden by another one', async () => {
  const { user, sdk } = await open(({ api }) => {
    api.on(at.checkin.outages, SAMPLE_OUTAGES).on(at.overview.outageNodes, SAMPLE_OUTAGE_NODES);
    api.on(at.overview.pausedNodes, ({ query }) =>
      query?.cursor ? { nodes: SAMPLE_PAUSED.nodes.slice(0, 1), nextCursor: null } : SAMPLE_PAUSED,
    );
  });
  expect(sdk.api.callsOf(at.overview.pausedNodes)).toEqual([]);
  const press = screen.getByRole('button', { name: '12 paused, 1 corrected' });
  await user.click(press);
  const table = screen.getByRole('table', { name: 'Nodes that paused, 19 Nov, 22:10 to 22:55' });
  const [, ...rows] = within(table).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['a1a1…a1a1', '19 Nov, 22:51', 'Running', '–'],
    ['b2b2…b2b2', '19 Nov, 22:30', 'Not running', '+12.50'],
  ]);
  expect(within(table).getByRole('link', { name: 'a1a1…a1a1' }).getAttribute('href')).toBe(
    `?tab=admin&view=users&user=${'a1'.repeat(16)}`,
  );
  await user.click(screen.getByRole('button', { name: 'Earlier' }));
  const [outage] = SAMPLE_OUTAGES.outages;
  const span = { from: outage?.from, to: outage?.to };
  expect(sdk.api.callsOf(at.overview.pausedNodes).map(({ query }) => query)).toEqual([
    span,
    { ...span, cursor: SAMPLE_PAUSED.nextCursor },
  ]);
  expect(press.getAttribute('aria-expanded')).toBe('true');
  await user.click(press);
  expect(screen.queryByTestId('paused-nodes')).toBeNull();
});

test('the table under the chart has what the chart shows, and what was not counted is no zero', async () => {
  const { sdk } = await open(({ api }) => {
    api.on(at.overview.issued, ({ query }) => sampleIssued(query?.range ?? '30d', { countedSince: '2026-11-20' }));
  });
  expect(screen.getByTestId('issued-chart').getAttribute('aria-label')).toContain('30 days');
  const table = screen.getByRole('table', { name: 'CORD issued by source' });
  const [, today, , dayBefore] = within(table).getAllByRole('row') as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  const bucket = sampleIssued('30d').buckets.at(-1);
  expect(cellsOf(today).at(-1)).toBe(bucket?.total.toLocaleString('en-GB', { minimumFractionDigits: 2 }));
  expect(cellsOf(dayBefore)).toEqual(['–', '–', '–', '–', '–', '–']);
  expect(sdk.api.callsOf(at.overview.issued).map(({ query }) => query)).toEqual([{ range: '30d' }]);
});

test('T turns chart and table, g o goes to the overview, and both rest in a field or when keys are off', async () => {
  const { user, sdk } = await open();
  const params = () => sdk.tabs.params.get().admin ?? {};
  await user.keyboard('t');
  expect(params()).toEqual({ as: 'table' });
  sdk.tabs.setParam('admin', 'view', 'nowhere');
  await settle();
  await user.keyboard('go');
  expect(params().view).toBeUndefined();
  await user.keyboard('?');
  await user.click(screen.getByRole('switch', { name: 'Use keyboard shortcuts' }));
  await user.keyboard('{Escape}');
  await user.keyboard('t');
  expect(params()).toEqual({ as: 'table' });
  await user.click(screen.getByRole('button', { name: 'All shortcuts' }));
  await user.click(screen.getByRole('switch', { name: 'Use keyboard shortcuts' }));
  await user.keyboard('{Escape}');
  await user.keyboard('t');
  expect(params()).toEqual({});
});

test('without the services it shows that and Retry reads it; the last known stays with a note', async () => {
  const { user, sdk } = await open(({ api }) => void api.fail(at.overview.overview, offline()));
  const panel = within(screen.getByTestId('error-panel'));
  sdk.api.on(at.overview.overview, sampleOverview());
  await user.click(panel.getByRole('button', { name: 'Retry' }));
  expect(screen.queryByTestId('error-panel')).toBeNull();
  sdk.api.fail(at.overview.overview, problem(503, 'away'));
  await settle(6_000);
  expect(screen.getByText('The overview could not be refreshed. Showing the last known figures.')).toBeDefined();
  expect(screen.getByText('Queues')).toBeDefined();
});

test('who is no operator sees a closed room, and nothing is requested', async () => {
  const { sdk } = await open(undefined, overviewSdk({ user: sampleUser() }));
  expect(screen.getByText('For operators only')).toBeDefined();
  expect(sdk.api.calls).toEqual([]);
});

test.each([
  ['none yet', null, 'no Solana memo yet'],
  [
    'its place and age',
    { size: 4, slot: 312_000_111, signature: 's', at: '2026-11-21T00:11:00Z' },
    'Solana memo of record 4 in slot 312,000,111',
  ],
])('the memo of the log on Solana: %s', async (_, last, shown) => {
  const memo = { signer: 'Memo1111111111111111111111111111111111111111', last };
  const root = {
    day: '2026-11-20',
    at: '2026-11-21T00:10:03Z',
    accounts: 9,
    size: 4,
    late: false,
    memo,
    witnesses: [],
  };
  await open(({ api }) => void api.on(at.overview.issued, { ...sampleIssued('30d'), root }));
  expect(screen.getByText(/root of 20 Nov 2026/).textContent).toContain(shown);
});

test.each([
  ['some', 3, 'record 4 signed by 1 of 3 witnesses, not by south, east'],
  ['all', 1, 'record 4 signed by 1 of 1 witness'],
])('the witnesses of the log, of which %s have signed its newest checkpoint', async (_, count, shown) => {
  const seenAt = '2026-11-21T00:15:00Z';
  const all = [
    { name: 'north', size: 4, at: seenAt },
    { name: 'south', size: 3, at: seenAt },
    { name: 'east', size: null, at: null },
  ];
  const root = { day: '2026-11-20', at: '2026-11-21T00:10:03Z', accounts: 9, size: 4, late: false, memo: null };
  const witnesses = all.slice(0, count);
  await open(({ api }) => void api.on(at.overview.issued, { ...sampleIssued('30d'), root: { ...root, witnesses } }));
  expect(screen.getByText(/root of 20 Nov 2026/).textContent).toContain(shown);
});
