import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as userEndpoints from '@cord/contracts/addresses/users';
import { offline, problem, sampleUser, storyOf, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { EIGHTH, rankingsSdk, sampleEntry, samplePerson, UNRANKED_PLACES } from './rankings.fixtures';
import { RankingsPage } from './rankings-page';

const meta = { title: 'Rankings/Miner', component: RankingsPage } satisfies Meta<typeof RankingsPage>;
export default meta;
type Story = StoryObj<typeof meta>;

function story(prepare?: (sdk: TestSdk) => void, miner = EIGHTH.userId, options: TestSdkOptions = {}): Story {
  return storyOf(
    RankingsPage,
    () => {
      const sdk = rankingsSdk(undefined, options);
      sdk.tabs.current.set('leaderboard');
      sdk.tabs.setParam('leaderboard', 'miner', miner);
      return sdk;
    },
    prepare,
  );
}

export const Another = story();
export const At320: Story = { ...story(), tags: ['w320'] };
export const Own = story(({ api }) => void api.on(userEndpoints.get, sampleUser()), sampleUser().id);
/** The card that the link is shown with stands open. */
export const OwnCardOpen: Story = {
  ...Own,
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    await userEvent.click(await canvas.findByRole('button', { name: 'Show the card' }));
    const card = await canvas.findByRole('img', { name: /mara.okafor’s rank/ });
    await waitFor(() => expect(card).toHaveProperty('naturalWidth', 1200));
  },
};
export const LongName = story(
  ({ api }) => void api.on(userEndpoints.get, samplePerson(EIGHTH, { username: 'W'.repeat(32) })),
);
/** Numbers never break and nothing lies over them, however large they are and however narrow the page is. */
export const LargestNumbersAt320: Story = {
  ...story(({ api }) => {
    const own = { ...EIGHTH, userId: sampleUser().id, rank: 1_234_567, total_earned: 12_345_678.9 };
    api.on(userEndpoints.get, samplePerson(own)).on(leaderboardEndpoints.miner, {
      ranks: [],
      neighbours: [sampleEntry(6, { total_earned: 98_765_432.1 }), own],
    });
  }, sampleUser().id),
  tags: ['w320'],
  play: async ({ canvasElement }) => {
    const list = await within(canvasElement).findByRole('region', { name: 'Neighbours, all time' });
    const total = within(list).getByText('12,345,678.90');
    const badge = within(list).getByText('You');
    expect(badge.getBoundingClientRect().right).toBeLessThan(total.getBoundingClientRect().left);
  },
};
export const Unranked = story(({ api }) => {
  api
    .on(leaderboardEndpoints.miner, UNRANKED_PLACES)
    .on(userEndpoints.get, samplePerson(EIGHTH, { rank: null, total_earned: 0 }));
});
export const Gone = story(({ api }) => void api.fail(leaderboardEndpoints.miner, problem(404, 'unknown-user')));
export const Failed = story(({ api }) => void api.fail(userEndpoints.get, offline()));
export const Loading = story(({ api }) => void api.hang(userEndpoints.get));
