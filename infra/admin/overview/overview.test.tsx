import { at, offline, problem, sampleUser } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sampleRefund } from '../refunds/refunds.fixtures';
import { testsOfView } from '../room/testing';
import { overviewSdk, sampleIssued, sampleOverview } from './overview.fixtures';
import { openOverview, unusual } from './overview.stage';

testsOfView('overview');

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

test('an operator sees figures, queues and that everything is normal', async () => {
  await openOverview();
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

test('unknown values are dashes, and incomplete counts are minimums', async () => {
  const refunds = [sampleRefund(1, { at: '2026-11-21T11:03:00.000Z' }), sampleRefund(2)];
  const { sdk } = await openOverview(({ api }) => {
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
  await openOverview(({ api }) => {
    api.on(at.overview.issued, sampleIssued('30d', { audit: null }));
  });
  expect(screen.getByText(/^not audited yet; root of 20 Nov 2026/).parentElement?.textContent).toContain('–');
});

test.each([
  ['refused credits', 'Credits refused by the ledger', 'credits'],
  ['payments to refund', 'Payments to refund', 'refunds'],
])('the count of %s links to their list', async (_of, name, view) => {
  const { user } = await openOverview(({ api }) => {
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

test('T toggles chart and table, g o opens the overview; both are inactive with modifiers or when switched off', async () => {
  const { user, sdk } = await openOverview();
  const params = () => sdk.tabs.params.get().admin ?? {};
  await user.keyboard('t');
  expect(params()).toEqual({ as: 'table' });
  sdk.tabs.setParam('admin', 'view', 'nowhere');
  await settle();
  await user.keyboard('g');
  await settle(1_600);
  await user.keyboard('o{Control>}t{/Control}{Meta>}t{/Meta}{Alt>}t{/Alt}');
  fireEvent.keyDown(document.body, { key: 't', repeat: true });
  expect(params()).toEqual({ as: 'table', view: 'nowhere' });
  await user.keyboard('go');
  expect(params().view).toBeUndefined();
  await user.keyboard('?');
  await user.click(screen.getByRole('switch', { name: 'Use keyboard shortcuts' }));
  expect(localStorage.getItem('cord:operators-keys')).toBe('off');
  await user.keyboard('{Escape}');
  await user.keyboard('t');
  expect(params()).toEqual({ as: 'table' });
  await user.click(screen.getByRole('button', { name: 'All shortcuts' }));
  await user.click(screen.getByRole('switch', { name: 'Use keyboard shortcuts' }));
  await user.keyboard('{Escape}');
  await user.keyboard('t');
  expect(params()).toEqual({});
});

test('a failed read shows the error panel with Retry; later failures keep the last known figures with a note', async () => {
  const { user, sdk } = await openOverview(({ api }) => void api.fail(at.overview.overview, offline()));
  const panel = within(screen.getByTestId('error-panel'));
  sdk.api.on(at.overview.overview, sampleOverview());
  await user.click(panel.getByRole('button', { name: 'Retry' }));
  expect(screen.queryByTestId('error-panel')).toBeNull();
  sdk.api.fail(at.overview.overview, problem(503, 'away'));
  await settle(6_000);
  expect(screen.getByText('The overview could not be refreshed. Showing the last known figures.')).toBeDefined();
  expect(screen.getByText('Queues')).toBeDefined();
});

test('a user who is not an operator sees a closed room, and nothing is requested', async () => {
  const { sdk } = await openOverview(undefined, overviewSdk({ user: sampleUser() }));
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
  await openOverview(({ api }) => void api.on(at.overview.issued, { ...sampleIssued('30d'), root }));
  expect(screen.getByText(/root of 20 Nov 2026/).textContent).toContain(shown);
});

test.each([
  ['some', 3, 'record 4 signed by 1 of 3 witnesses, not by south, east'],
  ['all', 1, 'record 4 signed by 1 of 1 witness'],
])('the witnesses of the log: %s have signed its newest checkpoint', async (_, count, shown) => {
  const seenAt = '2026-11-21T00:15:00Z';
  const all = [
    { name: 'north', size: 4, at: seenAt },
    { name: 'south', size: 3, at: seenAt },
    { name: 'east', size: null, at: null },
  ];
  const root = { day: '2026-11-20', at: '2026-11-21T00:10:03Z', accounts: 9, size: 4, late: false, memo: null };
  const witnesses = all.slice(0, count);
  await openOverview(
    ({ api }) => void api.on(at.overview.issued, { ...sampleIssued('30d'), root: { ...root, witnesses } }),
  );
  expect(screen.getByText(/root of 20 Nov 2026/).textContent).toContain(shown);
});
