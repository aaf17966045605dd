import { at } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { testsOfView } from '../room/testing';
import { sampleIssued } from './overview.fixtures';
import { cellsOf, openOverview, tableOf } from './overview.stage';

testsOfView('overview');

test('the chart and its table show each source of each month, newest first in the table', async () => {
  const parts = { mining: 200, checkin: 100, tasks: 60, commission: 40, claims: 0, total: 400, ranMs: 0 };
  const none = { mining: 0, checkin: 0, tasks: 0, commission: 0, claims: 0, total: 0, ranMs: 0 };
  const buckets = [
    { key: '2026-08', ...none },
    { key: '2026-09', ...none },
    { key: '2026-10', ...parts },
    { key: '2026-11', ...parts, mining: 20, checkin: 0, tasks: 0, commission: 0, total: 20 },
  ];
  const { user, sdk } = await openOverview(({ api }) => {
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

test('the table has the figures of the chart, and an uncounted day is a dash, not zero', async () => {
  const { sdk } = await openOverview(({ api }) => {
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
