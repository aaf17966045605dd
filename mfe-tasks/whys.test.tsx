// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { loadOverlays } from '@cord/ui';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { tasksSdk } from './tasks.fixtures';
import { TasksPage } from './tasks-page';

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
  ['Completed', /Tasks whose reward you have claimed.*Completed3Tasks in all9/],
  ['Total rewards', /each base reward times your multiplier/],
  ['Progress', /Tasks in all9/],
  ['Streak', /counted in UTC.*Your longest streak\d+Check-ins in all\d+/],
])('"Why this number?" of %s has its formula and its inputs', async (about, told) => {
  const { user } = renderWithSdk(<TasksPage />, tasksSdk());
  await user.click(await screen.findByRole('button', { name: `Why this number? ${about}` }));
  expect((await screen.findByRole('dialog')).textContent).toMatch(told);
});
