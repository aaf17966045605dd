// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { whyOf, withOverlays } from '@cord/ui/testing';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { referralsSdk } from './referrals.fixtures';
import { ReferralsPage } from './referrals-page';

beforeAll(withOverlays);
afterEach(cleanup);

test.each([
  ['Total earnings', /10% of what your friends earned.*86 CORD for each.*Friends joined6On hold, not in it[\d.,]+/],
])('"Why this number?" of %s has its formula and its inputs', async (about, told) => {
  const { user } = renderWithSdk(<ReferralsPage />, referralsSdk());
  expect(await whyOf(user, about)).toMatch(told);
});
