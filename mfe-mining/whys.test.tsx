// @vitest-environment jsdom
import { sampleMining } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { loadOverlays } from '@cord/ui';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { miningSdk } from './mining.fixtures';
import { MiningPage } from './mining-page';

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
  ['Session earned', /Credited by the server419\.33Mined since then\+0\.00Current rate1\.925000/],
  ['Uptime', /With the page closed it goes on for up to 8 hours/],
  ['Total uptime', /The time of all your sessions/],
  ['Efficiency', /Credited seconds of all seconds/],
])('"Why this number?" of %s has its formula and its inputs', async (about, told) => {
  const { user } = renderWithSdk(<MiningPage />, miningSdk(sampleMining()));
  await user.click(await screen.findByRole('button', { name: `Why this number? ${about}` }));
  expect((await screen.findByRole('dialog')).textContent).toMatch(told);
});
