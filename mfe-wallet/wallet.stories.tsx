import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { InSdk, problem, type TestSdk } from '@cord/sdk/testing';
import { expect, userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { BadgeCard } from './badge-card';
import { ClaimBanner } from './claim-banner';
import { ORDER, walletSdk } from './wallet.fixtures';

const meta = { title: 'Wallet', component: BadgeCard } satisfies Meta<typeof BadgeCard>;
export default meta;
type Story = StoryObj<typeof meta>;

function story(Shown: typeof BadgeCard, holder: boolean, prepare: (sdk: TestSdk) => void = () => undefined): Story {
  const make = () => {
    const sdk = walletSdk({ holder });
    prepare(sdk);
    return sdk;
  };
  return {
    render: () => (
      <InSdk make={make}>
        <Shown />
      </InSdk>
    ),
  };
}

const press =
  (name: string): Story['play'] =>
  async ({ canvasElement }) => {
    await userEvent.click(await within(canvasElement).findByRole('button', { name }));
  };

export const Badge = story(BadgeCard, false);
export const BadgePriceEstimate = story(BadgeCard, false, ({ api }) => {
  api.on(rewardEndpoints.solPrice, { usd: 50, at: ORDER.createdAt, estimate: true });
});
export const BadgeOwned = story(BadgeCard, true);
export const PurchaseProcessing: Story = {
  ...story(BadgeCard, false, ({ api }) => void api.hang(rewardEndpoints.createOrder)),
  play: press('Purchase Badge'),
};
export const PurchaseFailed: Story = {
  ...story(BadgeCard, false, ({ api }) => {
    api.fail(rewardEndpoints.createOrder, problem(503, 'The price is not known right now'));
  }),
  play: press('Purchase Badge'),
};
export const PurchaseOrder: Story = { ...story(BadgeCard, false), play: press('Purchase Badge') };
export const PurchaseUnknown: Story = {
  ...story(BadgeCard, false, ({ api }) => void api.on(rewardEndpoints.order, { ...ORDER, status: 'unknown' })),
  play: press('Purchase Badge'),
};

export const Claim = story(ClaimBanner, true);
export const ClaimProcessing: Story = {
  ...story(ClaimBanner, true, ({ api }) => void api.hang(rewardEndpoints.cordClaim)),
  play: press('Claim 10,000 CORD'),
};
export const ClaimFailed: Story = {
  ...story(
    ClaimBanner,
    true,
    ({ api }) => void api.fail(rewardEndpoints.cordClaim, problem(503, 'Failed to claim CORDs')),
  ),
  play: press('Claim 10,000 CORD'),
};
export const ClaimDone: Story = {
  ...story(ClaimBanner, true),
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    await userEvent.click(await canvas.findByRole('button', { name: 'Claim 10,000 CORD' }));
    await expect(await canvas.findByText('Reward Claimed!')).toBeVisible();
  },
};
export const ClaimedBefore = story(ClaimBanner, true, ({ api }) => {
  api.on(rewardEndpoints.cordClaimHistory, { claims: [{ amount: 10_000, at: ORDER.createdAt }] });
});
