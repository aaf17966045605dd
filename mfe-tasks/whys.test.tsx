// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { whyOf, withOverlays } from '@cord/ui/testing';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { tasksSdk } from './tasks.fixtures';
import { TasksPage } from './tasks-page';

beforeAll(withOverlays);
afterEach(cleanup);

test.each([
  ['Completed', /Tasks whose reward you have claimed.*Completed3Tasks in all9/],
  ['Total rewards', /each base reward times your multiplier/],
  ['Progress', /Tasks in all9/],
  ['Streak', /counted in UTC.*Your longest streak\d+Check-ins in all\d+/],
])('"Why this number?" of %s has its formula and its inputs', async (about, told) => {
  const { user } = renderWithSdk(<TasksPage />, tasksSdk());
  expect(await whyOf(user, about)).toMatch(told);
});
