import { at, problem, sampleMining, type TestSdk } from '@cord/sdk/testing';
import {
  act,
  advance,
  backInReach,
  cleanup,
  inFakeTime,
  outOfReach,
  renderWithSdk,
  settle,
} from '@cord/sdk/testing/render';
import { expectWhys } from '@cord/ui/testing';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import translations from '../languages/de.json';
import {
  answerStreak,
  claimedEarnings,
  EXCUSED_STREAK,
  earningsSdk,
  emptied,
  NEWCOMER,
  NOW_MS,
  newcomerEarnings,
  STREAK,
} from './earnings.fixtures';
import { EarningsCard } from './earnings-card';
import { EarningsView } from './earnings-view';

inFakeTime();

async function open(sdk: TestSdk = earningsSdk({}, true), what = <EarningsView />) {
  const view = renderWithSdk(what, sdk);
  await settle();
  return { sdk, ...view };
}

const slider = () => screen.getByRole('slider');
const sliderText = () => slider().getAttribute('aria-valuetext');
/** Heading of the selected day, before that of its hours. */
const chosen = () => screen.getAllByRole('heading', { level: 2 })[0]?.textContent;
const rows = () => within(screen.getByTestId('earnings-table')).getAllByRole('row');
const cells = (row: HTMLElement | undefined) =>
  [...(row?.querySelectorAll('th, td') ?? [])].map((cell) => cell.textContent ?? '');
const of = (sdk: TestSdk) => sdk.tabs.params.get().dashboard ?? {};

function Listed({ sources }: { sources?: readonly string[] }) {
  return `Entries: ${sources?.join()}`;
}

describe('the full view', () => {
  test('shows total, average, best day and streak of thirty days', async () => {
    await open();
    const total = screen.getByTestId('earnings-total');
    expect(total.textContent).toBe('40,861.54');
    expect(total.getAttribute('data-value')).toBe('40861.54');
    const page = screen.getByTestId('earnings-view').textContent;
    for (const text of [
      '29 Oct to 27 Nov',
      '1,195.38 without claims',
      '6,344.77',
      '24 Nov, including a claim of 5,000.00',
      'Today is still open',
    ])
      expect(page).toContain(text);
    const sources = screen.getAllByRole('definition').map((each) => each.textContent);
    expect(sources).toEqual(expect.arrayContaining(['63.0%', '25,733.70', '6.1%', '2,475.00', '12.2%', '5,000.00']));
  });

  test('shows the streak of Tasks, which an excused day does not break, and marks that day', async () => {
    const sdk = earningsSdk({}, true);
    answerStreak(sdk, EXCUSED_STREAK);
    await open(sdk);
    const streak = screen.getByText('Streak', { selector: 'dt span' }).closest('div')?.textContent;
    expect(streak).toMatch(/17days.*Today is still open/);
    expect(rows().map((row) => cells(row)[1])).toEqual(
      expect.arrayContaining(['open', 'kept without a check-in', 'day 17']),
    );
  });

  test('reads the streak again when a UTC day begins, as the day before may be excused', async () => {
    const sdk = earningsSdk({}, true);
    await open(sdk);
    answerStreak(sdk, { ...STREAK, currentStreak: 0 });
    await advance(sdk, 5 * 3_600_000);
    await settle();
    expect(screen.getByText('Streak', { selector: 'dt span' }).closest('div')?.textContent).toMatch(/Streak0days/);
  });

  test('moves the selected day with arrows, Page Down, Home and End, and shows its details', async () => {
    const { user, sdk } = await open();
    slider().focus();
    expect(chosen()).toContain('Friday 27 November');
    await user.keyboard('{ArrowLeft}');
    expect(sliderText()).toBe(
      'Thursday 26 November, 1,781.90 CORD: mining 781.01, check-in 140.00, tasks 822.50, commission 38.39',
    );
    expect(of(sdk).day).toBe('2026-11-26');
    const panel = within(screen.getByRole('region', { name: 'Thursday 26 November' }));
    for (const [label, value] of [
      ['Check-in, day 18', '140.00'],
      ['Tasks, 2 claimed', '822.50'],
      ['Node ran', '6 h 45 min'],
      ['Not running', '17 h 14 min'],
    ] as const) {
      expect(panel.getByText(label).nextElementSibling?.textContent).toBe(value);
    }
    await user.keyboard('{PageDown}');
    expect(chosen()).toContain('Thursday 19 November');
    await user.keyboard('{Home}{ArrowLeft}');
    expect([chosen(), slider().getAttribute('aria-valuenow')]).toEqual([expect.stringContaining('29 October'), '0']);
    await user.keyboard('{End}');
    expect(of(sdk).day).toBeUndefined();
  });

  test('restores range and selected day in this tab with a short notice, and Start over resets them', async () => {
    const { sdk, user } = await open();
    slider().focus();
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    sdk.tabs.setParam('dashboard', 'range', '7d');
    await settle();
    cleanup();
    sdk.tabs.setParam('dashboard', 'range', null);
    sdk.tabs.setParam('dashboard', 'day', null);
    sdk.clock.advance(12 * 60_000);
    const again = await open(sdk);
    expect(document.body.textContent).toMatch(/As you left it( 12 min ago)?: 7 days, 24 Nov\.Start over/);
    expect(of(sdk)).toEqual({ view: 'earnings', range: '7d', day: '2026-11-24' });
    await again.user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(of(sdk)).toEqual({ view: 'earnings' });
  });

  test('separates the claims of the selected day by kind; an unknown kind counts as claims', async () => {
    const sdk = earningsSdk({ user: NEWCOMER }, true);
    const answer = claimedEarnings();
    const newer = { welcome: 870, 'of-a-newer-release': 87 };
    answer.buckets = answer.buckets.map((each) => (each.claims === 957 ? { ...each, claimsBy: newer } : each));
    sdk.api.on(at.mining.earnings, answer);
    sdk.tabs.setParam('dashboard', 'day', '2026-11-26');
    const { user } = await open(sdk);
    const claimed = () =>
      [...screen.getByRole('region', { name: /November$/ }).querySelectorAll('dt')].flatMap((each) =>
        each.textContent?.startsWith('Claims') ? `${each.textContent} ${each.nextElementSibling?.textContent}` : [],
      );
    expect(claimed()).toEqual(['Claims, compensation 5,000.00', 'Claims, referral bonus 86.00']);
    slider().focus();
    await user.keyboard('{ArrowLeft}');
    expect(claimed()).toEqual(['Claims, welcome 870.00', 'Claims 87.00']);
  });

  test('has the same data in the table as in the chart, and shows it instead with T', async () => {
    const { user, sdk } = await open();
    const readerRows = rows().map(cells);
    slider().focus();
    await user.keyboard('t');
    expect(of(sdk).as).toBe('table');
    expect(screen.queryByRole('slider')).toBeNull();
    expect(document.activeElement?.contains(screen.getByTestId('earnings-table'))).toBe(true);
    const shown = rows().map(cells);
    expect(shown).toHaveLength(readerRows.length);
    expect(readerRows[1]).toEqual(['Epoch Beta ×1.1, until 28 Nov, 01:25 UTC']);
    const day = ['Tue 24 Nov', 'day 16', '876.00', '130.00', '297.50', '41.27', '5,000.00', '6,344.77'];
    expect(readerRows[5]).toEqual(day);
    expect(shown[5]).toEqual([...day.slice(0, 7), '5,468.77', '6,344.77']);
    expect(readerRows.map(([name]) => name)).toContain('Epoch Alpha ×1, until 13 Nov, 01:25 UTC');
    expect(readerRows.find(([name]) => name === 'Sat 7 Nov')?.[1]).toBe('missed');
    expect(readerRows.at(-1)).toEqual([
      '30 days',
      '',
      '25,733.70',
      '2,475.00',
      '6,982.50',
      '670.34',
      '5,000.00',
      '40,861.54',
    ]);
  });

  test('keeps the range in the address, and has no streak line for twelve months', async () => {
    const { user, sdk } = await open();
    await user.click(screen.getByRole('radio', { name: '12 months' }));
    expect(of(sdk)).toMatchObject({ view: 'earnings', range: '12m' });
    expect(screen.getByText('You joined on 4 August 2026')).toBeDefined();
    expect(rows().map((row) => cells(row)[0])).toContain('This month November 2026');
    expect(cells(rows()[0])).not.toContain('Streak');
    expect(screen.getByText('Average a month')).toBeDefined();
  });

  test('selects the column at a pointer press', async () => {
    const { user } = await open();
    // 720 px without a layout, 60 of them for the scale.
    await user.pointer({ keys: '[MouseLeft]', target: slider(), coords: { clientX: 60 + 22 * 15.5 } });
    expect(chosen()).toContain('Friday 13 November');
  });

  test('explains each number with its formula and inputs', async () => {
    const sdk = earningsSdk({}, true);
    sdk.tabs.setParam('dashboard', 'range', '7d');
    // Corrections are no earnings, so their entries are not listed.
    Object.assign(sdk.ledger, { Entries: Listed });
    const EARNED = 'Entries: mining,checkin,task,commission,welcome,compensation,cordclaim,refbonus,refwelcome';
    const { user } = await open(sdk);
    await expectWhys(user, [
      [
        'Total, 7 days',
        new RegExp(
          `All ledger entries in this period without corrections.*Mining7,117\\.42.*Claims5,000\\.00.*${EARNED}`,
        ),
      ],
      ['Average a day', /Total15,546\.90Days that count7/],
      ['Best day', /On a tie, the earlier one.*Claims5,000\.00/],
      ['Streak', /Days in a row with a check-in/],
      ['Commission', /10% of what your friends earn/],
      ['Friday 27 November', new RegExp(`on this UTC day.*not counted.*Mining874\\.96.*${EARNED}`)],
    ]);
  });

  test('shows nothing before the account was created', async () => {
    const sdk = earningsSdk({ user: NEWCOMER }, true);
    sdk.api.on(at.mining.earnings, newcomerEarnings());
    sdk.tabs.setParam('dashboard', 'day', '2026-11-10');
    await open(sdk);
    expect(sliderText()).toBe('Tuesday 10 November, before you joined');
    expect(cells(rows().at(-2))).toEqual(['Until Tue 24 Nov: before you joined']);
    expect(screen.getByText('You joined on 25 November 2026')).toBeDefined();
  });

  test('reads again when the day ends', async () => {
    const { sdk } = await open();
    const calls = () => sdk.api.callsOf(at.mining.earnings).length;
    const before = calls();
    await act(async () => sdk.clock.set(Date.UTC(2026, 10, 28, 0, 0, 1)));
    await settle();
    expect(calls()).toBe(before + 1);
  });
});

test.each([
  ['7d', '7 Tage ohne Verdienst', 'Verdient, 7 Tage: {total} CORD, nach Quelle'],
  ['30d', '30 Tage ohne Verdienst', 'Verdient, 30 Tage: {total} CORD, nach Quelle'],
  ['12m', '12 Monate ohne Verdienst', 'Verdient, 12 Monate: {total} CORD, nach Quelle'],
] as const)('the German texts are right with the name of the range %s', (range, empty, chartName) => {
  const german = translations['mining-earnings'];
  const withRange = (text: string) => text.replace('{range}', german[`range.${range}`]);
  expect(withRange(german.empty)).toBe(empty);
  expect(withRange(german.chartName)).toBe(chartName);
});

describe('the states without data', () => {
  test('offer to start the node when there are no earnings', async () => {
    const sdk = earningsSdk({}, true);
    sdk.api
      .on(at.mining.current, null)
      .on(at.mining.earnings, ({ query }) => emptied(query?.range ?? '30d'))
      .on(at.mining.start, sampleMining());
    const { user } = await open(sdk);
    expect(screen.getByText('No earnings in these 30 days')).toBeDefined();
    expect(screen.getByText('Start your node and today’s column appears here.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Start Mining' }));
    await settle(2_000);
    expect(sdk.api.callsOf(at.mining.start)).toHaveLength(1);
  });

  test('show on failure what is not affected, and Retry reads again', async () => {
    const sdk = earningsSdk();
    sdk.api.fail(at.mining.earnings, problem(404, 'gone'));
    const { user } = await open(sdk, <EarningsCard />);
    expect(screen.getByText('Failed to load your earnings')).toBeDefined();
    expect(screen.getByText('Your node and balance are not affected.')).toBeDefined();
    sdk.api.on(at.mining.earnings, newcomerEarnings());
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(screen.getByTestId('earnings-total').textContent).toBe('841.00');
  });

  test('show the error panel when the server is unreachable from the start, and the earnings after a reconnect', async () => {
    const sdk = earningsSdk({}, true);
    await outOfReach(sdk);
    await open(sdk);
    expect(screen.getByText('Failed to load your earnings')).toBeDefined();
    await backInReach(sdk);
    await settle();
    expect(screen.queryByText('Failed to load your earnings')).toBeNull();
    expect(screen.getByTestId('earnings-total').textContent).toBe('40,861.54');
  });

  test('show thirty bars while loading', async () => {
    const sdk = earningsSdk();
    sdk.api.hang(at.mining.earnings);
    await open(sdk, <EarningsCard />);
    expect(screen.getByRole('status').querySelectorAll('[aria-hidden]')).toHaveLength(30);
  });
});

describe('the card on the dashboard', () => {
  test('has a picture and table of thirty days, and a link to the full view', async () => {
    const { user, sdk } = await open(earningsSdk(), <EarningsCard />);
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe('Earnings over 30 days: 40,861.54 CORD, by source');
    expect(rows()).toHaveLength(34);
    const link = screen.getByRole('link', { name: 'Open earnings' });
    expect(link.getAttribute('href')).toBe('?tab=dashboard&view=earnings');
    await user.click(link);
    expect(of(sdk).view).toBe('earnings');
  });

  test('shows the last known data, marked as such, while the server is unreachable', async () => {
    const { sdk } = await open(earningsSdk(), <EarningsCard />);
    expect(screen.queryByText('Last known')).toBeNull();
    await act(async () => sdk.connection.lostAtMs.set(NOW_MS));
    expect(screen.getByText('Last known')).toBeDefined();
    expect(screen.getByTestId('earnings-total').textContent).toBe('40,861.54');
  });
});
