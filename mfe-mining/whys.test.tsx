// @vitest-environment jsdom
import { sampleMining } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { expectWhys, withOverlays } from '@cord/ui/testing';
import { afterEach, beforeAll, test } from 'vitest';
import { miningSdk } from './mining.fixtures';
import { MiningPage } from './node/mining-page';

beforeAll(withOverlays);
afterEach(cleanup);

test('"Why this number?" of each has its formula and its inputs', async () => {
  const { user } = renderWithSdk(<MiningPage />, miningSdk(sampleMining()));
  await expectWhys(user, [
    ['Session earned', /Credited by the server419\.33Mined since then\+0\.00Current rate1\.925000/],
    ['Uptime', /With the page closed, it continues for up to 8 hours/],
    ['Total uptime', /The total time of all your sessions/],
    ['Efficiency', /seconds that were credited/],
  ]);
});
