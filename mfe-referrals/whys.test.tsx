// @vitest-environment jsdom
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { expectWhys, withOverlays } from '@cord/ui/testing';
import { afterEach, beforeAll, test } from 'vitest';
import { referralsSdk } from './referrals.fixtures';
import { ReferralsPage } from './referrals-page';

beforeAll(withOverlays);
afterEach(cleanup);

test('"Why this number?" of each has its formula and its inputs', async () => {
  const { user } = renderWithSdk(<ReferralsPage />, referralsSdk());
  await expectWhys(user, [
    [
      'Total earnings',
      /10% of what your friends earned.*86 CORD for each.*Friends joined6On hold, not included[\d.,]+/,
    ],
  ]);
});
