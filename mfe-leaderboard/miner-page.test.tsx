import { cardLanguage, downloadedCardPath } from '@cord/contracts/drawing/card';
import { at, offline, problem, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { expectWhys } from '@cord/ui/testing';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { rankings as german } from './languages/de.json';
import {
  EIGHTH,
  EIGHTHS_PLACES,
  rankingsSdk,
  sampleEntry,
  samplePerson,
  sampleRanking,
  UNRANKED_PLACES,
} from './rankings.fixtures';
import { RankingsPage } from './rankings-page';

inFakeTime();

/** Opens a miner's page by its link. */
async function open(sdk: TestSdk, miner: string | null = EIGHTH.userId) {
  sdk.tabs.current.set('leaderboard');
  sdk.tabs.setParam('leaderboard', 'miner', miner);
  const view = renderWithSdk(<RankingsPage />, sdk);
  await settle();
  return view;
}

const profile = () => within(screen.getByTestId('profile'));

test('a name in the rankings links to that miner’s page', async () => {
  const sdk = rankingsSdk(sampleRanking(10));
  const { user } = await open(sdk, null);
  expect(screen.queryByTestId('profile')).toBeNull();
  const link = screen.getByRole('link', { name: 'BlueHeron' });
  expect(link.getAttribute('href')).toBe(`?tab=leaderboard&miner=${EIGHTH.userId}`);
  await user.click(link);
  expect(sdk.tabs.params.get().leaderboard?.miner).toBe(EIGHTH.userId);
  expect(profile().getByRole('heading', { level: 1 }).textContent).toBe('BlueHeron');
  expect(document.activeElement).toBe(screen.getByTestId('profile'));
});

test('a click anywhere in a row opens the miner, except while text is selected or with Ctrl', async () => {
  const sdk = rankingsSdk(sampleRanking(10));
  const { user } = await open(sdk, null);
  const row = screen.getByRole('link', { name: 'BlueHeron' }).closest('tr') as HTMLElement;
  const earned = within(row).getAllByRole('cell').at(-1) as HTMLElement;
  const marked = vi.spyOn(window, 'getSelection').mockReturnValue({ isCollapsed: false } as Selection);
  await user.click(earned);
  marked.mockRestore();
  await user.keyboard('{Control>}');
  await user.click(earned);
  await user.keyboard('{/Control}');
  expect(sdk.tabs.params.get().leaderboard?.miner).toBeUndefined();
  await user.click(earned);
  expect(sdk.tabs.params.get().leaderboard?.miner).toBe(EIGHTH.userId);
});

test('the page shows the public data: total, multiplier, age, join date and rank by period', async () => {
  await open(rankingsSdk());
  const text = screen.getByTestId('profile').textContent;
  for (const part of ['89,740.20', '×5', '6.2 years', '11 Aug 2026', '102 days ago']) expect(text).toContain(part);
  const rows = within(screen.getByRole('region', { name: 'Rank by period' })).getAllByRole('definition');
  expect(rows.map((each) => each.textContent)).toEqual([
    ...['#8', '89,740.20', '#6', '46,210.33', '#4', '12,880.07', 'Unranked', '–'],
  ]);
});

test('neighbours show their distance, with the user’s own row at the end', async () => {
  await open(rankingsSdk());
  const rows = within(screen.getByRole('region', { name: 'Neighbours, all time' })).getAllByRole('listitem');
  expect(rows.map((each) => each.querySelector('span')?.textContent)).toEqual(['6', '7', '8', '9', '10', '137']);
  expect(rows[1]?.textContent).toContain('7,481.58 ahead');
  expect(rows[3]?.textContent).toMatch(/behind$/);
  expect(rows[5]?.textContent).toMatch(/Mara Okafor.*You/);
  expect(within(rows[2] as HTMLElement).queryByRole('link')).toBeNull();
  const rowText = (row = 0) =>
    within(rows[row] as HTMLElement)
      .getByRole('link')
      .getAttribute('aria-label');
  expect(rowText(1)).toMatch(/^7, .+, 97,221\.78 CORD, 7,481\.58 ahead$/);
  expect(rowText(5)).toMatch(/^137, Mara Okafor, [\d,.]+ CORD, [\d,.]+ behind$/);
  expect(within(rows[2] as HTMLElement).getByText('8, BlueHeron, 89,740.20 CORD')).toBeDefined();
});

test('a neighbour with the same total is level, neither ahead nor behind', async () => {
  const sdk = rankingsSdk();
  const { total_earned } = EIGHTH;
  sdk.api.on(at.leaderboard.miner, { ...EIGHTHS_PLACES, neighbours: [EIGHTH, sampleEntry(9, { total_earned })] });
  await open(sdk);
  const rows = within(screen.getByRole('region', { name: 'Neighbours, all time' })).getAllByRole('listitem');
  expect(rows[1]?.textContent).toMatch(/89,740\.20level$/);
});

test('a neighbour who is ahead by less than 0.01 is shown as 0.01 ahead, never 0.00', async () => {
  const sdk = rankingsSdk();
  const near = sampleEntry(7, { total_earned: EIGHTH.total_earned + 0.00174 });
  sdk.api.on(at.leaderboard.miner, { ...EIGHTHS_PLACES, neighbours: [near, EIGHTH] });
  await open(sdk);
  const rows = within(screen.getByRole('region', { name: 'Neighbours, all time' })).getAllByRole('listitem');
  expect(rows[0]?.textContent).toMatch(/89,740\.200\.01 ahead$/);
});

test('each number is explained', async () => {
  const { user } = await open(rankingsSdk());
  await expectWhys(user, [
    ['Total earned', /Everything added to the balance/],
    ['Multiplier', /The older the Discord account/],
    ['Account age', /cut to one decimal/],
    ['Rank, All time', /total earnings.*Ties go/],
    ['Rank, This week', /in UTC\. Ties go/],
    ['Neighbours, all time', /how far apart they are/],
  ]);
});

test('Show in rankings replaces the page with a search for the name', async () => {
  const sdk = rankingsSdk();
  const { user } = await open(sdk);
  await user.click(profile().getByRole('button', { name: 'Show in rankings' }));
  expect(sdk.tabs.params.get().leaderboard).toEqual({ search: 'BlueHeron' });
  expect(screen.queryByTestId('profile')).toBeNull();
});

test('Share uses the device’s share sheet if there is one, otherwise copies the link', async () => {
  const { user } = await open(rankingsSdk());
  await user.click(profile().getByRole('button', { name: 'Share' }));
  expect(await navigator.clipboard.readText()).toMatch(new RegExp(`^http.*tab=leaderboard&miner=${EIGHTH.userId}$`));
  expect(profile().getByRole('button', { name: 'Link copied' })).toBeDefined();
  const share = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }));
  await settle(2_100);
  await user.click(profile().getByRole('button', { name: 'Share' }));
  expect(share).toHaveBeenCalledWith({ url: expect.stringContaining(EIGHTH.userId), text: 'BlueHeron on CORD' });
});

test('the card of the link loads on request, in reserved space', async () => {
  const { user } = await open(rankingsSdk(sampleRanking(10)));
  const card = () => profile().queryByRole('img', { name: /^The card .* BlueHeron’s rank/ });
  document.documentElement.dataset.theme = 'dark';
  expect(card()).toBeNull();
  await user.click(profile().getByRole('button', { name: 'Show the card' }));
  const shown = ['src', 'width', 'height', 'loading'].map((name) => card()?.getAttribute(name));
  expect(shown).toEqual([`/share/rank/${EIGHTH.userId}.png`, '1200', '630', 'lazy']);
  // Dark if the page is dark, in each language.
  const download = profile().getByRole('link', { name: 'Download' });
  expect(download.getAttribute('href')).toBe(`/share/rank/${EIGHTH.userId}.png?theme=dark`);
  delete document.documentElement.dataset.theme;
  expect(downloadedCardPath('/share/K7M2QX9D.png', 'dark', false)).toBe('/share/K7M2QX9D.png?theme=dark');
  expect(downloadedCardPath('/share/K7M2QX9D.png?lang=de', undefined, true)).toBe(
    '/share/K7M2QX9D.png?lang=de&theme=dark',
  );
  expect(downloadedCardPath('/share/K7M2QX9D.png', 'light', true)).toBe('/share/K7M2QX9D.png');
  await user.click(profile().getByRole('button', { name: 'Hide the card' }));
  expect(card()).toBeNull();
  expect(cardLanguage(german.cardLanguage)).toBe('de');
});

test('the user’s own page shows You and Share your rank', async () => {
  const own = sampleUser();
  const sdk = rankingsSdk();
  sdk.api.on(at.users.get, own);
  await open(sdk, own.id);
  expect(profile().getAllByText('You').length).toBeGreaterThan(0);
  expect(profile().getByRole('button', { name: 'Share your rank' })).toBeDefined();
});

test('a miner who no longer exists is shown as such, with a way back to the rankings', async () => {
  const sdk = rankingsSdk();
  sdk.api.fail(at.leaderboard.miner, problem(404, 'unknown-user'));
  const { user } = await open(sdk);
  expect(profile().getByText('This miner is no longer here')).toBeDefined();
  await user.click(profile().getByRole('button', { name: 'Back to rankings' }));
  expect(screen.queryByTestId('profile')).toBeNull();
});

test('when the miner cannot be read, Retry reads again', async () => {
  const sdk = rankingsSdk();
  sdk.api.fail(at.users.get, offline());
  const { user } = await open(sdk);
  sdk.api.on(at.users.get, samplePerson(EIGHTH));
  await user.click(profile().getByRole('button', { name: 'Retry' }));
  expect(profile().getByRole('heading', { level: 1 }).textContent).toBe('BlueHeron');
});

test('an unranked miner has no neighbours and no rank in any period', async () => {
  const sdk = rankingsSdk();
  sdk.api
    .on(at.leaderboard.miner, UNRANKED_PLACES)
    .on(at.users.get, samplePerson(EIGHTH, { rank: null, total_earned: 0 }));
  await open(sdk);
  expect(profile().queryByRole('button', { name: 'Show in rankings' })).toBeNull();
  expect(profile().getAllByText('Unranked')).toHaveLength(4);
  expect(profile().queryByRole('listitem')).toBeNull();
});
