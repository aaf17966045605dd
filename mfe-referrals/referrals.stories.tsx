import { at, problem, storyOf, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { expect, userEvent, waitFor } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { ReferralPanel } from './referral-panel';
import { FRIENDS, referralsSdk, sampleFriend, UNREFERRED } from './referrals.fixtures';
import { ReferralsPage } from './referrals-page';
import type { ReferralStats } from './use-referrals';

export default { title: 'Referrals', component: ReferralsPage };

interface Setting extends TestSdkOptions {
  stats?: Partial<ReferralStats>;
  prepare?: (sdk: TestSdk) => void;
}

function story(
  Shown: typeof ReferralsPage | typeof ReferralPanel,
  { stats = {}, prepare, ...options }: Setting = {},
): StoryObj {
  return storyOf(Shown, () => referralsSdk(stats, options), prepare);
}

const failing = ({ api }: TestSdk) => void api.fail(at.referrals.stats, problem(500, 'Failed to fetch referral stats'));
const hanging = ({ api }: TestSdk) => void api.hang(at.referrals.stats);
const unreferred = { user: UNREFERRED, stats: { referredBy: null } };

export const Page = story(ReferralsPage);
/** The preview card of the link is open. */
export const PageCardOpen: StoryObj = {
  ...story(ReferralsPage),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Show the card' }));
    const card = await canvas.findByRole('img', { name: /K7M2QX9D/ });
    await waitFor(() => expect(card).toHaveProperty('naturalWidth', 1200));
  },
};

export const PageNoFriends = story(ReferralsPage, {
  stats: { referralHistory: [], totalReferrals: 0, totalEarnings: 0 },
});
export const PageOneFriend = story(ReferralsPage, {
  stats: { referralHistory: FRIENDS.slice(0, 1), totalReferrals: 1, totalEarnings: 412.8 },
});
export const PageLongestAndBiggest = story(ReferralsPage, {
  stats: {
    referralHistory: Array.from({ length: 40 }, (_, index) =>
      sampleFriend(`${'W'.repeat(30)}${index + 10}`, {
        totalEarnings: 9_999_999.99,
        referredUser: { username: 'W'.repeat(32), avatar: null, total_earned: 99_999_999.99 },
        friendRanMs: 599_000,
        bonusStatus: (['credited', 'pending', 'held', 'refused'] as const)[index % 4] ?? 'held',
      }),
    ),
    totalReferrals: 9_999_999,
    totalEarnings: 9_999_999_999.99,
    heldEarnings: 9_999_999.99,
  },
});
export const PageHeldEarnings = story(ReferralsPage, { stats: { heldEarnings: 86 } });
export const PageRefusedCode = story(ReferralsPage, {
  stats: { pendingCode: { code: 'OLDLAN7E', status: 'refused', reason: 'the account has been erased.', why: null } },
});
export const PageLoading = story(ReferralsPage, { prepare: hanging });
export const PageFailed = story(ReferralsPage, { prepare: failing });

export const PanelReferred = story(ReferralPanel);
export const PanelLongestAndBiggest = story(ReferralPanel, {
  stats: {
    referredBy: { userId: 'b'.repeat(32), username: 'W'.repeat(32) },
    totalReferrals: 9_999_999,
    totalEarnings: 9_999_999_999.99,
  },
});
export const PanelFriendCode = story(ReferralPanel, unreferred);
export const PanelSoon = story(ReferralPanel, {
  user: { ...UNREFERRED, referralCode: null },
  stats: { referredBy: null, referralCode: '' },
});
export const PanelLoading = story(ReferralPanel, { prepare: hanging });
export const PanelFailed = story(ReferralPanel, { prepare: failing });

export const PanelOwnCode: StoryObj = {
  ...story(ReferralPanel, unreferred),
  play: async ({ canvas }) => {
    await userEvent.type(await canvas.findByRole('textbox', { name: 'Referral code' }), 'k7m2qx9d');
    await userEvent.click(canvas.getByRole('button', { name: 'Submit code' }));
    await expect(
      await canvas.findByText('You cannot refer yourself. Please use a different referral code.'),
    ).toBeVisible();
  },
};

export const PanelSuccess: StoryObj = {
  ...story(ReferralPanel, unreferred),
  play: async ({ canvas }) => {
    await userEvent.type(await canvas.findByRole('textbox', { name: 'Referral code' }), 'OLDLAN7E');
    await userEvent.click(canvas.getByRole('button', { name: 'Submit code' }));
    await expect(await canvas.findByText(/^Success! You received 87.50 CORD/)).toBeVisible();
  },
};
