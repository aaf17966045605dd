import { at } from '@cord/sdk/testing';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { testsOfView } from '../room/testing';
import { SAMPLE_OUTAGE_NODES, SAMPLE_OUTAGES, SAMPLE_PAUSED } from './overview.fixtures';
import { openOverview, tableOf } from './overview.stage';

testsOfView('overview');

test('the last eight outages are shown with all kept streaks; a current one ends at the next minute', async () => {
  const days = [214, 3].map((kept, n) => ({ dayKey: `2026-11-1${n}`, reason: 'outage', kept }));
  const from = '2026-11-21T10:51:00.000Z';
  const outages = Array.from({ length: 9 }, (_, n) => ({
    from: n === 0 ? from : `2026-11-1${9 - n}T22:00:00.000Z`,
    to: n === 0 ? null : `2026-11-1${9 - n}T22:05:00.000Z`,
    days: days.map(({ dayKey }) => dayKey),
  }));
  const { user, sdk } = await openOverview(({ api }) => {
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

test('each check-in outage shows its duration and affected streaks, or that none is affected', async () => {
  await openOverview(({ api }) => {
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

test('the nodes that paused in an outage are listed on request, page by page, and hidden again', async () => {
  const { user, sdk } = await openOverview(({ api }) => {
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
