// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { loadOverlays } from '@cord/ui';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { referralsSdk } from './referrals.fixtures';
import { ReferralsPage } from './referrals-page';

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
  ['Total earnings', /10% of what your friends earned.*86 CORD for each.*Friends joined6On hold, not in it[\d.,]+/],
])('"Why this number?" of %s has its formula and its inputs', async (about, told) => {
  const { user } = renderWithSdk(<ReferralsPage />, referralsSdk());
  await user.click(await screen.findByRole('button', { name: `Why this number? ${about}` }));
  expect((await screen.findByRole('dialog')).textContent).toMatch(told);
});
