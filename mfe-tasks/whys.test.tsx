// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { expectWhys, withOverlays } from '@cord/ui/testing';
import { afterEach, beforeAll, test } from 'vitest';
import { tasksSdk } from './tasks.fixtures';
import { TasksPage } from './tasks-page';

beforeAll(withOverlays);
afterEach(cleanup);

test('"Why this number?" of each has its formula and its inputs', async () => {
  const { user } = renderWithSdk(<TasksPage />, tasksSdk());
  await expectWhys(user, [
    ['Completed', /Tasks whose reward you have claimed.*Completed3All tasks9/],
    ['Total rewards', /each base reward times your multiplier/],
    ['Progress', /All tasks9/],
    ['Streak', /counted in UTC.*Your longest streak\d+All check-ins\d+/],
  ]);
});
