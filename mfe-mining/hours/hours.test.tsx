import type { HourState } from '@cord/contracts/http/hours';
import { STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import { at, problem, type TestSdk, translate } from '@cord/sdk/testing';
import { cleanup, inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { earningsSdk, emptied } from '../earnings/earnings.fixtures';
import { EarningsView } from '../earnings/earnings-view';
import { DEVICE_CLOCK, textsOf, UTC_CLOCK } from './hour-format';
import { hoursOf, quietHours } from './hours.fixtures';
import { LedgerHour } from './ledger-hour';

/** All states; the compiler checks that none is missing. */
const STATES = Object.keys({
  ...{ ran: 0, 'lease-over': 0, stopped: 0, 'not-started': 0, 'no-sign-in': 0, outage: 0 },
  ...{ 'before-joined': 0, 'to-come': 0, 'many-changes': 0 },
} satisfies Record<HourState, number>);
const intoView = vi.fn();
beforeEach(() => {
  intoView.mockClear();
  Element.prototype.scrollIntoView = intoView;
});
inFakeTime();

async function open(params: Record<string, string> = {}, change: (sdk: TestSdk) => void = () => undefined) {
  const sdk = earningsSdk({}, true);
  for (const [name, value] of Object.entries(params)) sdk.tabs.setParam('dashboard', name, value);
  change(sdk);
  const view = renderWithSdk(<EarningsView />, sdk);
  await settle();
  return { sdk, ...view };
}

const hours = () => within(screen.getByTestId('hours'));
const rows = () => hours().getAllByRole('row').slice(1);
const cells = (row: HTMLElement | undefined) => [...(row?.children ?? [])].map((cell) => cell.textContent);
const heading = () => hours().getByRole('heading', { level: 2 });
const day = () => hours().getByRole('heading', { level: 3 }).textContent;
const requested = (sdk: TestSdk) =>
  sdk.api.callsOf(at.mining.hours).map(({ query }) => (query as { day?: string }).day);

describe('the hours of a day', () => {
  test('are closed and not requested until the user opens them', async () => {
    const { sdk, user } = await open();
    expect(requested(sdk)).toEqual([]);
    const show = hours().getByRole('button', { name: 'Show the hours of Friday 27 November' });
    expect(show.getAttribute('aria-expanded')).toBe('false');
    await user.click(show);
    expect(requested(sdk)).toEqual(['2026-11-27']);
    expect(rows()).toHaveLength(24);
    await user.click(hours().getByRole('button', { name: 'Hide the hours of Friday 27 November' }));
    expect(hours().queryByRole('table')).toBeNull();
  });

  test('open for the day of a pressed column, and scroll into view', async () => {
    const { user, sdk } = await open();
    vi.spyOn(heading(), 'getBoundingClientRect').mockReturnValue({ top: 5_000, bottom: 5_020 } as DOMRect);
    await user.pointer({
      keys: '[MouseLeft]',
      target: screen.getByRole('slider'),
      coords: { clientX: 60 + 22 * 15.5 },
    });
    await settle();
    expect(requested(sdk)).toEqual(['2026-11-13']);
    expect(day()).toBe('Friday 13 November');
    expect(intoView).toHaveBeenCalledTimes(1);
    expect(intoView.mock.contexts[0]).toBe(heading());
    expect(document.activeElement).not.toBe(heading());
  });

  test.each(['{Enter}', ' '])('get the focus by %o even if they are already open for that day', async (key) => {
    const { user } = await open({ hours: '1' });
    screen.getByRole('slider').focus();
    await user.keyboard(key);
    expect(document.activeElement).toBe(heading());
  });

  test.each(['{Enter}', ' '])(
    'open with "%s" on the chart, which focuses their heading; arrows only change the day',
    async (key) => {
      const { user, sdk } = await open();
      screen.getByRole('slider').focus();
      await user.keyboard('{ArrowLeft}');
      expect(requested(sdk)).toEqual([]);
      await user.keyboard(key);
      expect(document.activeElement).toBe(heading());
      expect(requested(sdk)).toEqual(['2026-11-26']);
      await user.click(hours().getByRole('button', { name: 'Day before' }));
      expect(day()).toBe('Wednesday 25 November');
      expect(sdk.tabs.params.get().dashboard?.day).toBe('2026-11-25');
      await user.click(hours().getByRole('button', { name: 'Day after' }));
      await user.click(hours().getByRole('button', { name: 'Day after' }));
      await user.click(hours().getByRole('button', { name: 'Day after' }));
      expect(day()).toBe('Friday 27 November');
    },
  );

  test('describe what happened in each hour and what was mined', async () => {
    await open({ day: '2026-11-26', hours: '1' });
    expect(hours().getByText('The node ran 9 h 00 min and mined 837.37 CORD. Times are in UTC.')).toBeDefined();
    const shown = rows().map(cells);
    expect(shown[0]).toEqual(['00:00', 'Ran at 1.925000 CORD/min, since 25 Nov, 19:12.', '115.50']);
    expect(shown[2]).toEqual([
      '02:00',
      '02:00 to 02:40: Ran at 1.925000 CORD/min, since 25 Nov, 19:12.' +
        '02:40 to 03:00: Not running since 02:40: nobody came back for 8 hours.',
      '77.00',
    ]);
    expect(shown[5]).toEqual(['05:00', 'Not running: you had been signed out everywhere since 05:00.', '0']);
    expect(shown[6]?.[1]).toContain('Not running: CORD was out of service from 06:20 to 07:05. That was our fault.');
    expect(shown[12]).toEqual([
      '12:00',
      'Ran at 0.962500 CORD/min, since 09:10. The network check reduced the rate to 50%: 4 accounts mined from your network address.',
      '57.75',
    ]);
    expect(shown[23]).toEqual(['23:00', 'Not running since 15:30: it was stopped.', '0']);
  });

  test('show the year of a time in another year', async () => {
    await open({ day: '2026-11-26', hours: '1' }, ({ api }) => {
      const stopped = { from: 0, to: 24 * 60, state: 'stopped' as const, since: -420 * 24 * 60 };
      api.on(at.mining.hours, ({ query }) => hoursOf(query?.day ?? '', [stopped]));
    });
    expect(cells(rows()[0])[1]).toBe('Not running since 2 Oct 2025, 00:00: it was stopped.');
  });

  test('are shown for an account without earnings too, but not for months', async () => {
    await open({ hours: '1' }, ({ api }) => {
      api
        .on(at.mining.current, null)
        .on(at.mining.earnings, ({ query }) => emptied(query?.range ?? '30d'))
        .on(at.mining.hours, ({ query }) => quietHours(query?.day ?? ''));
    });
    expect(cells(rows()[23])).toEqual(['23:00', 'Still to come.', '–']);
    cleanup();
    await open({ hours: '1', range: '12m' });
    expect(screen.queryByTestId('hours')).toBeNull();
  });

  test('are read again at intervals even while the live stream is open', async () => {
    const { sdk } = await open({ hours: '1' }, ({ live }) => live.open.set(true));
    expect(requested(sdk)).toEqual(['2026-11-27']);
    await settle(STATS_REFETCH_MS);
    expect(requested(sdk)).toEqual(['2026-11-27', '2026-11-27']);
  });

  test('name the reasons that could not be read, and request them again on Try again', async () => {
    const { user, sdk } = await open({ hours: '1' }, ({ api }) => {
      api.on(at.mining.hours, ({ query }) => ({
        ...quietHours(query?.day ?? ''),
        unknown: ['network', 'outages'],
      }));
    });
    const text =
      'Some reasons are missing: CORD could not read the network check and its outages. Times and amounts are complete.';
    expect(hours().getByText(text)).toBeDefined();
    sdk.api.on(at.mining.hours, ({ query }) => quietHours(query?.day ?? ''));
    await user.click(hours().getByRole('button', { name: 'Try again' }));
    expect(hours().queryByText(text)).toBeNull();
  });

  test('show an error when they do not load, and Retry reads them', async () => {
    const { user, sdk } = await open({ hours: '1' }, ({ api }) => void api.fail(at.mining.hours, problem(404, 'gone')));
    expect(hours().getByText('The hours could not be loaded')).toBeDefined();
    sdk.api.on(at.mining.hours, ({ query }) => hoursOf(query?.day ?? ''));
    await user.click(hours().getByRole('button', { name: 'Retry' }));
    expect(rows()).toHaveLength(24);
  });
});

describe('every state of an hour', () => {
  const [from, to] = ['2026-11-26T10:00:00.000Z', '2026-11-26T11:00:00.000Z'];
  const textOf = (state: string) => {
    const part = { from, to, state, since: from, until: null, rate: null, network: null };
    return textsOf({ from, mined: 0, ranMs: 0, parts: [part] }, UTC_CLOCK)[0];
  };

  test.each(['en', 'de'])(
    'has its own text in %s; an unknown state of a newer release reads as not running',
    async (language) => {
      translate({ de: { load: async () => ({ default: {} }) } }, language);
      const other = language === 'de' ? 'Lief nicht.' : 'Not running.';
      await expect.poll(() => textOf('of-a-newer-release')).toBe(other);
      const texts = STATES.map(textOf);
      expect(new Set(texts).size).toBe(STATES.length);
      expect(texts.every((text) => (text ?? '').length > other.length - 2)).toBe(true);
      translate({}, null);
    },
  );
});

describe('the hour of a ledger entry', () => {
  const entry = (at: string) => ({ id: 'mining:a:1', reason: 'Mining at 1.925 CORD/min', at });

  test('shows what happened in it in local time, with one request for all entries of a day', async () => {
    const sdk = earningsSdk();
    const { container } = renderWithSdk(
      <>
        <LedgerHour entry={entry('2026-11-26T02:39:59.000Z')} />
        <LedgerHour entry={entry('2026-11-26T14:59:59.999Z')} />
      </>,
      sdk,
    );
    await settle();
    expect(requested(sdk)).toEqual(['2026-11-26']);
    const pausedMs = Date.parse('2026-11-26T02:40:00.000Z');
    expect(container.textContent).toContain(
      `Not running since ${DEVICE_CLOCK.time(pausedMs)}: nobody came back for 8 hours.`,
    );
    expect(container.textContent).toContain('The network check reduced the rate to 50%');
  });

  test('is empty for an entry older than the explained days, or if the request fails', async () => {
    const sdk = earningsSdk();
    const { container } = renderWithSdk(<LedgerHour entry={entry('2026-10-28T23:00:00.000Z')} />, sdk);
    await settle();
    expect([container.textContent, requested(sdk)]).toEqual(['', []]);
    cleanup();
    sdk.api.fail(at.mining.hours, problem(404, 'gone'));
    const failed = renderWithSdk(<LedgerHour entry={entry('2026-11-26T02:00:00.000Z')} />, sdk);
    await settle();
    expect(failed.container.textContent).toBe('');
  });
});
