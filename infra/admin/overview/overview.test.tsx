import { at, offline, problem, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { fireEvent, screen, within } from '@testing-library/react';
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

/** The figures and the queues, then the tables of how everything is. */
const shown = () => [
  ...[...screen.getByTestId('operators-overview').querySelectorAll('dl > *')].map(({ textContent }) => textContent),
  ...screen
    .getAllByRole('table')
    .slice(1)
    .flatMap((table) =>
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ),
];
const tableOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join('|'));
const unusual = () => screen.getByTestId('unusual').textContent;
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('an operator sees figures, what waits, and that all is well', async () => {
  await open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Overview');
  expect(unusual()).toBe('Everything is running normally.');
  // What is issued is everything that was credited, not mining alone.
  expect(shown()).toEqual([
    'Active nodes219of 1,302 miners',
    'Online now94in the last 5 min',
    'Issued today435,685yesterday 422,884',
    'Total issued9,480.1KCORD, all time',
    'Ledger drift0audited 21 Nov, 09:51 UTC, 1,302 accounts; root of 20 Nov 2026, record 118 of the log',
    'Page errors today0reported by browsers',
    'Appeals, open3, oldest 5 h 20 min',
    'Refunds, open2, oldest 1 h 4 min1 from a badge holder',
    'Support, open0',
    'Payments to refund0',
    'Addresses with 3 or more miners6',
    'Credits refused by the ledger0',
    'Dead letters0',
    'Switched off0',
    'ServiceState',
    'authReady',
    'miningReady',
    'tasksReady',
    'referralsReady',
    'rewardsReady',
    'leaderboardReady',
    'noticesReady',
    'StreamMessagesFull',
    'balance1,3020%',
    'dead00%',
    'nodes3,9060%',
    'referrals5,2080%',
    'rewards6,5100%',
    'tasks7,8120%',
    'users9,1140%',
  ]);
  expect(screen.getByText('No browser has reported an error today.')).toBeDefined();
  expect(screen.getByText('No outage of 3 minutes or more is recorded.')).toBeDefined();
  expect(screen.getByText('7 of 7 normal')).toBeDefined();
});

test('what is not known is shown as such, and a count that goes on as its least', async () => {
  const refunds = [sampleRefund(1, { at: '2026-11-21T11:03:00.000Z' }), sampleRefund(2)];
  const { sdk } = await open(({ api }) => {
    api.healthy = null;
    api.on(
      at.overview.overview,
      sampleOverview({
        requests: [{ kind: 'appeal', open: 50, more: true, priority: 2, oldestAt: '2026-11-18T11:03:00.000Z' }],
        parkedCredits: { count: 100, more: true, oldestAt: '2026-11-21T10:03:00.000Z', missing: [] },
        deadLetters: null,
        streams: [],
        clientErrors: [
          { module: 'mfe_tasks', count: 3 },
          { module: 'shell', count: 40 },
        ],
        switchesOff: ['orders', 'module.mfe_tasks'],
      }),
    );
    api.on(
      at.overview.issued,
      sampleIssued('30d', { root: null, audit: { at: '2026-11-20T18:00:00Z', accounts: 9, drift: -0.5 } }),
    );
    api.on(at.rewards.refunds, { refunds, nextCursor: 'more' });
  });
  expect(
    within(screen.getByTestId('unusual'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'The gateway does not report the health of the services.',
    'The last audit found a drift of -0.500000 CORD.',
    '100 pending credits were refused by the ledger and need an operator.',
    'NATS does not report how full its streams are.',
    'orders is switched off.',
    'module.mfe_tasks is switched off.',
  ]);
  expect(shown()).toEqual([
    'Active nodes219of 1,302 miners',
    'Online now94in the last 5 min',
    'Issued today435,685yesterday 422,884',
    'Total issued9,480.1KCORD, all time',
    'Ledger drift-0.500000audited 20 Nov, 18:00 UTC, 9 accounts; no root yet',
    'Page errors today43reported by browsers',
    'Appeals, open50 or more, oldest 3 d2 from badge holders',
    'Payments to refund2 or more, oldest 1 min',
    'Addresses with 3 or more miners6',
    'Credits refused by the ledger100 or more, oldest 1 h',
    'Dead letters–',
    'Switched off2',
    'ModuleErrors',
    'mfe_tasks3',
    'shell40',
  ]);
  expect(screen.getByRole('button', { name: /^Support/ }).textContent).toBe('Support50+50 waiting');
  expect(screen.getAllByRole('button', { current: 'page' }).map(({ textContent }) => textContent)).toEqual([
    'Overview',
  ]);
  expect(sdk.api.callsOf(at.rewards.refunds).map(({ query }) => query)).toEqual([{ status: 'open', limit: '100' }]);
  cleanup();
  await open(({ api }) => {
    api.on(at.overview.issued, sampleIssued('30d', { audit: null }));
  });
  expect(screen.getByText(/^not audited yet; root of 20 Nov 2026/).parentElement?.textContent).toContain('–');
});

test('the chart and its table have each source of each month, the newest first', async () => {
  const parts = { mining: 200, checkin: 100, tasks: 60, commission: 40, claims: 0, total: 400, ranMs: 0 };
  const none = { mining: 0, checkin: 0, tasks: 0, commission: 0, claims: 0, total: 0, ranMs: 0 };
  const buckets = [
    { key: '2026-08', ...none },
    { key: '2026-09', ...none },
    { key: '2026-10', ...parts },
    { key: '2026-11', ...parts, mining: 20, checkin: 0, tasks: 0, commission: 0, total: 20 },
  ];
  const { user, sdk } = await open(({ api }) => {
    api.on(at.overview.issued, ({ query }) =>
      query?.range === '12m'
        ? sampleIssued('12m', { buckets, countedSince: '2026-10-09' })
        : sampleIssued(query?.range ?? '30d'),
    );
  });
  await user.click(screen.getByRole('radio', { name: '12 months' }));
  const chart = screen.getByTestId('issued-chart');
  expect(chart.getAttribute('aria-label')).toBe('CORD issued by source, 12 months. The table shows the same figures.');
  expect(chart.textContent).toBe('0100200300400AugNow');
  expect([...chart.querySelectorAll<HTMLElement>('[style*=height]')].map(({ style }) => style.height)).toEqual([
    '50%',
    '25%',
    '15%',
    '10%',
    '5%',
  ]);
  expect(tableOf('CORD issued by source')).toEqual([
    'Month, UTC|Mining|Check-ins|Tasks|Commission|Claims|Total',
    'Nov 2026|20.00|0.00|0.00|0.00|0.00|20.00',
    'Oct 2026|200.00|100.00|60.00|40.00|0.00|400.00',
    'Sept 2026|–|–|–|–|–|–',
    'Aug 2026|–|–|–|–|–|–',
  ]);
  expect(screen.getAllByText(/ this month$/).map(({ textContent }) => textContent)).toEqual([
    'Mining 20 this month',
    'Check-ins 0 this month',
    'Tasks 0 this month',
    'Commission 0 this month',
    'Claims 0 this month',
  ]);
  expect(screen.getByText(/^Counted since 9 Oct 2026/)).toBeDefined();
  sdk.api.on(at.overview.issued, sampleIssued('12m', { buckets, countedSince: null }));
  await settle(31_000);
  expect(screen.getByText('Nothing has been credited since counting began.')).toBeDefined();
});

test('the eight last outages are shown, with all streaks that their days kept; one that lasts ends with the minute', async () => {
  const days = [214, 3].map((kept, n) => ({ dayKey: `2026-11-1${n}`, reason: 'outage', kept }));
  const from = '2026-11-21T10:51:00.000Z';
  const outages = Array.from({ length: 9 }, (_, n) => ({
    from: n === 0 ? from : `2026-11-1${9 - n}T22:00:00.000Z`,
    to: n === 0 ? null : `2026-11-1${9 - n}T22:05:00.000Z`,
    days: days.map(({ dayKey }) => dayKey),
  }));
  const { user, sdk } = await open(({ api }) => {
    api
      .on(at.checkin.outages, { outages, days })
      .on(at.overview.outageNodes, { outages: [{ from, paused: 1, corrected: 0 }] });
  });
  expect(tableOf('Check-in outages')).toHaveLength(9);
  expect(screen.getAllByText('217 streaks kept')).toHaveLength(8);
  const press = screen.getByRole('button', { name: '1 paused' });
  await user.click(press);
  expect(document.getElementById(press.getAttribute('aria-controls') ?? '')).toBe(screen.getByTestId('paused-nodes'));
  expect(sdk.api.callsOf(at.overview.pausedNodes).map(({ query }) => query)).toEqual([
    { from, to: '2026-11-21T11:04:00.000Z' },
  ]);
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

test('nothing is called normal before everything is known', async () => {
  await open(({ api }) => void api.hang(at.overview.issued));
  expect(screen.queryByTestId('unusual')).toBeNull();
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
  await user.keyboard('g');
  await settle(1_600);
  await user.keyboard('o{Control>}t{/Control}');
  fireEvent.keyDown(document.body, { key: 't', repeat: true });
  expect(params()).toEqual({ as: 'table', view: 'nowhere' });
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
