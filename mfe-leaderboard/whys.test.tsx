// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { loadOverlays } from '@cord/ui';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { rankingsSdk, sampleRanking } from './rankings.fixtures';
import { RankingsPage } from './rankings-page';

beforeAll(async () => {
  // jsdom has no layout; popovers and lists only ask whether it changes.
  class NoObserver {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', NoObserver);
  vi.stubGlobal('IntersectionObserver', NoObserver);
  await loadOverlays();
});
afterEach(cleanup);

test.each([
  ['Total miners', /Everybody who has earned at least something/],
  ['Active now', /visited within the last 8 hours/],
  ['Total mined', /in thousands of CORD, cut to one decimal/],
  ['Your rank', /who was there first is ahead.*Earned in all[\d.,]+/],
])('"Why this number?" of %s has its formula and its inputs', async (about, told) => {
  const { user } = renderWithSdk(<RankingsPage />, rankingsSdk(sampleRanking(10)));
  await user.click(await screen.findByRole('button', { name: `Why this number? ${about}` }));
  expect((await screen.findByRole('dialog')).textContent).toMatch(told);
});
