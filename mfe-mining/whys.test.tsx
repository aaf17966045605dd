// @vitest-environment jsdom
import { sampleMining } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { whyOf, withOverlays } from '@cord/ui/testing';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { miningSdk } from './mining.fixtures';
import { MiningPage } from './mining-page';

beforeAll(withOverlays);
afterEach(cleanup);

test.each([
  ['Session earned', /Credited by the server419\.33Mined since then\+0\.00Current rate1\.925000/],
  ['Uptime', /With the page closed it goes on for up to 8 hours/],
  ['Total uptime', /The time of all your sessions/],
  ['Efficiency', /Credited seconds of all seconds/],
])('"Why this number?" of %s has its formula and its inputs', async (about, told) => {
  const { user } = renderWithSdk(<MiningPage />, miningSdk(sampleMining()));
  expect(await whyOf(user, about)).toMatch(told);
});
