// @vitest-environment jsdom
import { rules } from '@cord/contracts/addresses/rules';
import { sampleRules } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { expectWhys, withOverlays } from '@cord/ui/testing';
import { afterEach, beforeAll, test } from 'vitest';
import { StreakPage } from './streak-page';
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

test('what all check-ins have paid is explained by the rules in force', async () => {
  const sdk = tasksSdk();
  sdk.api.on(rules, sampleRules({ checkinMicro: 49_500_000, streakStepMicro: 4_000_000, streakMostMicro: 90_000_000 }));
  const { user } = renderWithSdk(<StreakPage view={{ close: () => undefined }} />, sdk);
  await expectWhys(user, [
    ['All check-ins so far', /49\.5 CORD each, plus 4 for each day of the streak, up to 90 more/],
  ]);
});
