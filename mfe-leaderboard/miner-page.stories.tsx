import { at, offline, problem, sampleUser, storyOf, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { EIGHTH, rankingsSdk, sampleEntry, samplePerson, UNRANKED_PLACES } from './rankings.fixtures';
import { RankingsPage } from './rankings-page';

export default { title: 'Rankings/Miner', component: RankingsPage };

function story(prepare?: (sdk: TestSdk) => void, miner = EIGHTH.userId, options: TestSdkOptions = {}): StoryObj {
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
export const At320: StoryObj = { ...story(), tags: ['w320'] };
export const Own = story(({ api }) => void api.on(at.users.get, sampleUser()), sampleUser().id);
/** The preview card of the link is open. */
export const OwnCardOpen: StoryObj = {
  ...Own,
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Show the card' }));
    const card = await canvas.findByRole('img', { name: /mara.okafor’s rank/ });
    await waitFor(() => expect(card).toHaveProperty('naturalWidth', 1200));
  },
};
export const LongName = story(
  ({ api }) => void api.on(at.users.get, samplePerson(EIGHTH, { username: 'W'.repeat(32) })),
);
/** Large numbers neither wrap nor are covered, even on the narrowest page. */
export const LargestNumbersAt320: StoryObj = {
  ...story(({ api }) => {
    const own = { ...EIGHTH, userId: sampleUser().id, rank: 1_234_567, total_earned: 12_345_678.9 };
    api.on(at.users.get, samplePerson(own)).on(at.leaderboard.miner, {
      ranks: [],
      neighbours: [sampleEntry(6, { total_earned: 98_765_432.1 }), own],
    });
  }, sampleUser().id),
  tags: ['w320'],
  play: async ({ canvas }) => {
    const list = await canvas.findByRole('region', { name: 'Neighbours, all time' });
    const total = within(list).getByText('12,345,678.90');
    const badge = within(list).getByText('You');
    expect(badge.getBoundingClientRect().right).toBeLessThan(total.getBoundingClientRect().left);
  },
};
export const Unranked = story(({ api }) => {
  api.on(at.leaderboard.miner, UNRANKED_PLACES).on(at.users.get, samplePerson(EIGHTH, { rank: null, total_earned: 0 }));
});
export const Gone = story(({ api }) => void api.fail(at.leaderboard.miner, problem(404, 'unknown-user')));
export const Failed = story(({ api }) => void api.fail(at.users.get, offline()));
export const Loading = story(({ api }) => void api.hang(at.users.get));
