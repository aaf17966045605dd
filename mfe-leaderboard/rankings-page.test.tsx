import { rules } from '@cord/contracts/addresses/rules';
import { at, offline, sampleRules, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { act, backInReach, cleanup, inFakeTime, outOfReach, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { expectWhys } from '@cord/ui/testing';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AHEAD, OWN, rankingsSdk, sampleEntry, sampleRanking } from './rankings.fixtures';
import { RankingsPage } from './rankings-page';

const { list, me, global: stats } = at.leaderboard;
const TEN = sampleRanking(10);

// Nothing is in view.
inFakeTime();

async function show(sdk: TestSdk) {
  const view = renderWithSdk(<RankingsPage />, sdk);
  await settle();
  return view;
}

const cell = (label: string) => screen.getByText(label, { selector: 'dt span' }).closest('div')?.textContent;

test('the view is restored in this tab with a notice of six seconds; Start over resets it; it expires after 30 minutes', async () => {
  const sdk = rankingsSdk(TEN);
  sdk.tabs.current.set('leaderboard');
  const chosen = () => sdk.tabs.params.get().leaderboard ?? {};
  const set = (period: string | null, search: string | null) => {
    sdk.tabs.setParam('leaderboard', 'period', period);
    sdk.tabs.setParam('leaderboard', 'search', search);
  };
  /** Leaves for a while, and returns in a new page. */
  const away = async (ms: number) => {
    cleanup();
    set(null, null);
    sdk.clock.advance(ms);
    return show(sdk);
  };
  const notice = () => /As you left it.*\.(?=Start over)/.exec(document.body.textContent ?? '')?.[0];
  set('weekly', 'ko');
  await show(sdk);
  expect(notice()).toBeUndefined();
  await away(12 * 60_000);
  expect([notice(), chosen()]).toEqual([
    'As you left it 12 min ago: Weekly, search ko.',
    { period: 'weekly', search: 'ko' },
  ]);
  expect(document.activeElement).toBe(document.body);
  await settle(6_000);
  expect([notice(), chosen().search]).toEqual([undefined, 'ko']);
  const { user } = await away(60_000);
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect([notice(), chosen()]).toEqual([undefined, {}]);
  await away(60_000);
  expect(notice()).toBeUndefined();
  set('weekly', null);
  await settle();
  await away(31 * 60_000);
  expect([notice(), chosen()]).toEqual([undefined, {}]);
  // Sign-out deletes it, and nothing is stored after it.
  set('daily', null);
  await settle();
  await act(async () => sdk.session.signOut());
  cleanup();
  expect(sessionStorage.getItem('cord.drafts') ?? '').not.toContain('daily');
});

test('names highlight the search text', async () => {
  const sdk = rankingsSdk([sampleEntry(31, { username: 'Marko' })]);
  sdk.tabs.current.set('leaderboard');
  sdk.tabs.setParam('leaderboard', 'search', 'KO');
  await show(sdk);
  expect(document.querySelector('mark')?.textContent).toBe('ko');
  expect(screen.getByTitle('Marko').textContent).toBe('Marko');
});

test('the summary shows the server’s figures: miners, active ones, total mined in K, the user’s rank', async () => {
  await show(rankingsSdk(TEN));
  expect(cell('Total miners')).toBe('Total miners1,284');
  expect(cell('Active now')).toBe('Active now212');
  expect(cell('Total mined')).toBe('Total mined7,912.4K');
  expect(cell('Your rank')).toBe('Your rank#137');
  expect(screen.getByTestId('rank').getAttribute('data-value')).toBe('137');
});

test('without earnings the user is Unranked; unknown figures are dashes', async () => {
  const sdk = rankingsSdk(TEN);
  sdk.api.on(me, { entry: null, neighbours: [] }).fail(stats, offline());
  await show(sdk);
  expect(cell('Your rank')).toBe('Your rankUnranked');
  expect(cell('Total miners')).toBe('Total miners–');
});

test('the first three are on the podium in order, with their badges', async () => {
  await show(rankingsSdk(TEN));
  const places = within(screen.getByRole('list', { name: 'Top three' })).getAllByRole('listitem');
  expect(places).toHaveLength(3);
  expect(places[0]?.textContent).toMatch(/halvardHonorMining1312,480\.12$/);
  expect(places[1]?.textContent).toMatch(/Priya N\.Mining2206,159\.99$/);
  expect(places[2]?.textContent).toMatch(/old_lantern3161,640\.29$/);
});

test('every row is in the table, so that search in the page and print find it', async () => {
  await show(rankingsSdk(sampleRanking(100)));
  const table = screen.getByRole('table', { name: 'Ranking' });
  expect(table.tagName).toBe('TABLE');
  // The first three are on the podium.
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map((cell) => cell.textContent),
  ).toEqual(expect.arrayContaining([expect.stringContaining('miner_100')]));
  expect(table.querySelectorAll('tbody tr[data-rank]')).toHaveLength(97 + 1);
});

test('the user’s own row is shown with the distance to the next rank and the number of miners between', async () => {
  await show(rankingsSdk(TEN));
  const row = screen.getByTestId('own-row');
  expect(row.textContent).toContain('Mara Okafor');
  expect(row.textContent).toContain('You');
  expect(row.textContent).toContain('1,204.08 CORD behind #136');
  expect(screen.getByText('126 more miners')).toBeDefined();
});

test('a user on the podium has no second row', async () => {
  const own = sampleEntry(1, { userId: sampleUser().id });
  const sdk = rankingsSdk([own, sampleEntry(2)]);
  sdk.api.on(me, { entry: own, neighbours: [own] });
  await show(sdk);
  expect(screen.queryByTestId('own-row')).toBeNull();
});

test.each([
  ['Monthly', 'monthly'],
  ['Weekly', 'weekly'],
  ['Daily', 'daily'],
])('the chip %s requests that period', async (name, period) => {
  const sdk = rankingsSdk(TEN);
  const { user } = await show(sdk);
  await user.click(screen.getByRole('radio', { name }));
  expect(sdk.api.callsOf(list).at(-1)?.query).toEqual({ limit: '100', period });
  expect(sdk.api.callsOf(me).at(-1)?.query).toEqual({ period });
});

test('a search is sent when typing pauses, from two characters on, and replaces the podium', async () => {
  const sdk = rankingsSdk(TEN);
  const { user } = await show(sdk);
  const box = screen.getByRole('searchbox', { name: 'Search by username' });
  await user.type(box, 'k');
  expect(screen.getByText('Type at least 2 characters.')).toBeDefined();
  await user.type(box, 'ofi');
  await settle(400);
  const searches = sdk.api.callsOf(list).map(({ query }) => (query as { search?: string }).search);
  expect(searches).toEqual([undefined, 'kofi']);
  expect(screen.queryByRole('list', { name: 'Top three' })).toBeNull();
  expect(screen.getByRole('table', { name: 'Ranking' })).toBeDefined();
});

test('a search without results shows No miners found and can be cleared', async () => {
  const { user } = await show(rankingsSdk(TEN));
  await user.type(screen.getByRole('searchbox'), 'zzz');
  await settle(400);
  expect(screen.getByText('No miners found')).toBeDefined();
  expect(screen.getByText('No miner’s name contains “zzz”.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  await settle(400);
  expect(screen.getByRole('list', { name: 'Top three' })).toBeDefined();
});

test('the ranking is read again every 30 s', async () => {
  const sdk = rankingsSdk(TEN);
  await show(sdk);
  await settle(30_100);
  expect(sdk.api.callsOf(list)).toHaveLength(2);
});

test('rankings that cannot be read fail in their own place, and Retry reads them', async () => {
  const sdk = rankingsSdk(TEN);
  sdk.api.fail(list, offline('Failed to fetch leaderboard'));
  const { user } = await show(sdk);
  expect(within(screen.getByTestId('error-panel')).getByText('Rankings could not be loaded')).toBeDefined();
  expect(cell('Total miners')).toBe('Total miners1,284');
  sdk.api.on(list, sampleRanking(10));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getByText('halvard')).toBeDefined();
});

test('rankings opened while the server is unreachable show an error, and are read after a reconnect', async () => {
  const sdk = rankingsSdk(TEN);
  await outOfReach(sdk);
  await show(sdk);
  expect(within(screen.getByTestId('error-panel')).getByText('Rankings could not be loaded')).toBeDefined();
  expect(cell('Total miners')).toBe('Total miners–');
  expect(sdk.api.callsOf(list)).toEqual([]);
  await backInReach(sdk);
  await settle();
  expect(screen.queryByTestId('error-panel')).toBeNull();
  expect(screen.getByText('halvard')).toBeDefined();
});

test('while the server is unreachable, an unread period does not show the miners of another', async () => {
  const sdk = rankingsSdk(TEN);
  const { user } = await show(sdk);
  expect(screen.getByText('halvard')).toBeDefined();
  await outOfReach(sdk);
  await user.click(screen.getByRole('radio', { name: 'Weekly' }));
  expect(screen.queryByText('halvard')).toBeNull();
  expect(screen.getByTestId('error-panel')).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'All Time' }));
  expect(screen.getByText('halvard')).toBeDefined();
  await backInReach(sdk);
});

test('a click beside a name opens the miner; Ctrl or the middle button open a new browser tab', async () => {
  const sdk = rankingsSdk(TEN);
  sdk.tabs.current.set('leaderboard');
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  await show(sdk);
  const name = screen.getByText('halvard').closest('a') as HTMLAnchorElement;
  const row = name.closest('tr,li') as HTMLElement;
  fireEvent.click(row, { ctrlKey: true });
  fireEvent(row, new MouseEvent('auxclick', { bubbles: true, button: 1 }));
  const aside = [name.getAttribute('href'), '_blank', 'noopener'];
  expect(open.mock.calls).toEqual([aside, aside]);
  const miner = () => sdk.tabs.params.get().leaderboard?.miner;
  expect(miner()).toBeUndefined();
  fireEvent.click(row);
  await settle();
  expect(name.getAttribute('href')).toContain(`miner=${miner()}`);
  expect(open).toHaveBeenCalledTimes(2);
  open.mockRestore();
});

test('when a later read fails, the last known ranking stays, marked as old', async () => {
  const sdk = rankingsSdk(TEN);
  await show(sdk);
  sdk.api.fail(list, offline());
  await settle(30_100);
  expect(screen.getByText('Rankings could not be refreshed. Showing the last known ones.')).toBeDefined();
  expect(screen.getByText('halvard')).toBeDefined();
});

const bought = vi.fn();
function PurchaseButton() {
  return (
    <button type="button" onClick={bought}>
      Purchase
    </button>
  );
}

test('the badge is Owned or Not owned, with the purchase on this page', async () => {
  bought.mockClear();
  const sdk = rankingsSdk(TEN, { parts: { wallet: { 'purchase-button': PurchaseButton } } });
  const { user } = await show(sdk);
  expect(screen.getByText('Badge of Honor: Not owned')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(bought).toHaveBeenCalledOnce();
  cleanup();
  await show(rankingsSdk(sampleRanking(3), { user: sampleUser({ hasbadgeofhonor: true }) }));
  expect(screen.getByText('Badge of Honor: Owned')).toBeDefined();
  expect(screen.getByText('You have the Honor badge in this list and mine 5% more.')).toBeDefined();
  cleanup();
  const changed = rankingsSdk(TEN);
  changed.api.on(rules, sampleRules({ badgeHundredths: 107 }));
  await show(changed);
  expect(screen.getByText('Holders have the Honor badge in this list and mine 7% more.')).toBeDefined();
});

test('with an equal sum, the user’s own row is level with the one ahead', async () => {
  const sdk = rankingsSdk(TEN);
  sdk.api.on(me, { entry: OWN, neighbours: [{ ...AHEAD, period_earned: OWN.period_earned }, OWN] });
  await show(sdk);
  expect(screen.getByTestId('own-row').textContent).toContain(`Level with #${AHEAD.rank}`);
});

test('a distance below 0.01 is shown as 0.01, never 0.00', async () => {
  const sdk = rankingsSdk(TEN);
  const ahead = { ...AHEAD, period_earned: OWN.period_earned + 0.00174 };
  sdk.api.on(me, { entry: OWN, neighbours: [ahead, OWN] });
  await show(sdk);
  expect(screen.getByTestId('own-row').textContent).toContain(`0.01 CORD behind #${AHEAD.rank}`);
});

test('the miner ahead comes from the server’s neighbours; without one, no distance is shown', async () => {
  const sdk = rankingsSdk(TEN);
  sdk.api.on(me, { entry: OWN, neighbours: [OWN] });
  await show(sdk);
  expect(screen.getByTestId('own-row').textContent).not.toContain('behind');
  expect(AHEAD.rank).toBe(OWN.rank - 1);
});

test('each number is explained with its formula and inputs', async () => {
  const { user } = await show(rankingsSdk(TEN));
  await expectWhys(user, [
    ['Total miners', /Miners who have earned at least something/],
    ['Active now', /visited within the last 8 hours/],
    ['Total mined', /all nodes have mined, in CORD, cut to one decimal/],
    ['Your rank', /Ties go to whoever got there first.*Total earned[\d.,]+/],
  ]);
});
