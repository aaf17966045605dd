// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { whyOf, withOverlays } from '@cord/ui/testing';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { rankingsSdk, sampleRanking } from './rankings.fixtures';
import { RankingsPage } from './rankings-page';

beforeAll(withOverlays);
afterEach(cleanup);

test.each([
  ['Total miners', /Everybody who has earned at least something/],
  ['Active now', /visited within the last 8 hours/],
  ['Total mined', /in thousands of CORD, cut to one decimal/],
  ['Your rank', /who was there first is ahead.*Earned in all[\d.,]+/],
])('"Why this number?" of %s has its formula and its inputs', async (about, told) => {
  const { user } = renderWithSdk(<RankingsPage />, rankingsSdk(sampleRanking(10)));
  // What stands in an answer has come when the page shows it.
  await screen.findByText('#137');
  expect(await whyOf(user, about)).toMatch(told);
});
