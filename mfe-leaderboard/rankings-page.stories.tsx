import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { at, offline, SAMPLE_NOW_MS, sampleUser, storyOf, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { expect, userEvent, within } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { AHEAD, OWN, rankingsSdk, sampleEntry, sampleRanking } from './rankings.fixtures';
import { RankingsPage } from './rankings-page';

export default { title: 'Rankings/Page', component: RankingsPage };

interface Setting extends TestSdkOptions {
  entries?: LeaderboardEntry[];
  prepare?: (sdk: TestSdk) => void;
}

function story({ entries = sampleRanking(100), prepare, ...options }: Setting = {}): StoryObj {
  return storyOf(RankingsPage, () => rankingsSdk(entries, options), prepare);
}

export const Hundred = story();
export const Ten = story({ entries: sampleRanking(10) });
export const OneMiner = story({
  entries: [sampleEntry(1)],
  prepare: ({ api }) => void api.on(at.leaderboard.me, { entry: null, neighbours: [] }),
});
export const Nobody = story({
  entries: [],
  prepare: ({ api }) => void api.on(at.leaderboard.me, { entry: null, neighbours: [] }),
});
export const Loading = story({
  prepare: ({ api }) => void api.hang(at.leaderboard.list).hang(at.leaderboard.global),
});
export const Failed = story({
  prepare: ({ api }) => void api.fail(at.leaderboard.list, offline('Failed to fetch leaderboard')),
});
/** A return after twelve minutes to a new page. */
export const AsYouLeftIt: StoryObj = {
  ...story({
    entries: ['nikolai_v', 'kofi.mensah', 'yuko_7', 'Marko'].map((username, n) => sampleEntry(n * 9 + 3, { username })),
  }),
  beforeEach: () => {
    const left = { period: 'weekly', search: 'ko', atMs: String(SAMPLE_NOW_MS - 12 * 60_000) };
    sessionStorage.setItem(
      'cord.drafts',
      JSON.stringify({ userId: sampleUser().id, drafts: { 'left.rankings': left } }),
    );
    return () => sessionStorage.removeItem('cord.drafts');
  },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('button', { name: 'Start over' })).toBeVisible();
    await expect((await canvas.findAllByText('ko', { selector: 'mark' })).length).toBe(4);
  },
};
export const BadgeHolder = story({ user: sampleUser({ hasbadgeofhonor: true }) });

const LONGEST = 'W'.repeat(32);
export const LongestAndBiggest = story({
  entries: sampleRanking(12).map((entry) => ({
    ...entry,
    username: LONGEST,
    period_earned: 9_999_999_999.99,
    account_age: 11.9,
    hasbadgeofhonor: true,
    is_node_active: true,
  })),
  prepare: ({ api }) =>
    void api
      .on(at.leaderboard.global, {
        totalMiners: 9_999_999,
        activeMiners: 999_999,
        totalMined: 99_999_999_999,
        onlineNow: 999_999,
      })
      .on(at.leaderboard.me, {
        entry: { ...OWN, rank: 1_234_567, username: LONGEST, hasbadgeofhonor: true },
        neighbours: [{ ...AHEAD, rank: 1_234_566, period_earned: 9_999_999_999.99 }],
      }),
});

/** The sticky own row hides no focused row. */
export const BesideTheOwnRow: StoryObj = {
  ...story(),
  tags: ['w390'],
  play: async ({ canvas }) => {
    const table = canvas;
    await expect(await table.findByTestId('own-row')).toBeVisible();
    const links = within(await table.findByRole('table'))
      .getAllByRole('link')
      .slice(0, 20);
    await expect(links.length).toBe(20);
    for (const link of links) {
      link.focus();
      const { left, top, width, height } = link.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      await expect([link.textContent, link.contains(seen) || seen?.contains(link)]).toEqual([link.textContent, true]);
    }
  },
};

export const SearchWithoutHits: StoryObj = {
  ...story(),
  play: async ({ canvas }) => {
    await userEvent.type(await canvas.findByRole('searchbox', { name: 'Search by username' }), 'zzz');
    await expect(await canvas.findByText('No miners found')).toBeVisible();
  },
};
