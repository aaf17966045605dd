// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { expectWhys, withOverlays } from '@cord/ui/testing';
import { afterEach, beforeAll, test } from 'vitest';
import { rankingsSdk, sampleRanking } from './rankings.fixtures';
import { RankingsPage } from './rankings-page';

beforeAll(withOverlays);
afterEach(cleanup);

test('"Why this number?" of each has its formula and its inputs', async () => {
  const { user } = renderWithSdk(<RankingsPage />, rankingsSdk(sampleRanking(10)));
  await expectWhys(user, [
    ['Total miners', /Miners who have earned at least something/],
    ['Active now', /visited within the last 8 hours/],
    ['Total mined', /all nodes have mined, in CORD, cut to one decimal/],
    ['Your rank', /Ties go to whoever got there first.*Total earned[\d.,]+/],
  ]);
});
