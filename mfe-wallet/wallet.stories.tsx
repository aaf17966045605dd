import { type PartProps, SdkProvider } from '@cord/sdk';
import { at, problem } from '@cord/sdk/testing';
import { type ComponentType, useEffect, useState } from 'react';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { BadgeCard } from './badge-card';
import { ClaimBanner } from './claim-banner';
import type { WalletProblem } from './failures';
import type { Order } from './orders';
import { PurchaseButton } from './purchase-button';
import { ADDRESS, fails, fakeChain, ORDER, SIGNATURE, type WalletSdk, walletSdk } from './wallet.fixtures';
import { WalletButton } from './wallet-button';
import { WalletHost } from './wallet-host';

export default { title: 'Wallet' };

interface Stage {
  holder?: boolean;
  prepare?: (sdk: WalletSdk) => void;
  /** What is done once the part stands on the page. */
  open?: (sdk: WalletSdk) => void;
}

const PLAIN: Stage = {};

/** A part on an sdk of its own; its dialogs go with it. */
function OnStage({ Part, stage, ...props }: { Part: ComponentType<PartProps>; stage: Stage } & PartProps) {
  const [sdk] = useState(() => {
    const made = walletSdk({ holder: stage.holder ?? false });
    stage.prepare?.(made);
    return made;
  });
  useEffect(() => {
    stage.open?.(sdk);
  }, [sdk, stage]);
  return (
    <SdkProvider sdk={sdk}>
      <Part {...props} />
      <WalletHost />
    </SdkProvider>
  );
}

function story(Part: ComponentType<PartProps>, stage: Stage = {}, ...presses: (string | RegExp)[]): StoryObj {
  const render = () => <OnStage Part={Part} stage={stage} />;
  if (presses.length === 0) return { render };
  return { render, play: () => press(...presses) };
}

/** One after the other, wherever they are on the page. */
async function press(...names: (string | RegExp)[]): Promise<void> {
  for (const name of names) await userEvent.click(await screen.findByRole('button', { name }));
}

const holding =
  (order: Partial<Order>) =>
  ({ api }: WalletSdk): void =>
    void api.on(at.rewards.orders, [{ ...ORDER, ...order }]);

const failing = (failure: WalletProblem): Stage => ({
  prepare: ({ chain }) => {
    chain.onPay = () => fails(failure);
  },
});

/** Phantom is chosen, and this comes of it. */
const connecting = (onConnect: WalletSdk['chain']['onConnect']): StoryObj =>
  story(
    WalletButton,
    {
      prepare: ({ chain }) => {
        chain.onConnect = onConnect;
      },
    },
    'Connect wallet',
    /Phantom/,
  );

const CONFIRMED: Order = { ...ORDER, status: 'confirmed', transactionHash: SIGNATURE };

export const Badge = story(BadgeCard);
export const BadgePriceEstimate = story(BadgeCard, {
  prepare: ({ api }) => void api.on(at.rewards.solPrice, { usd: 50, at: ORDER.createdAt, estimate: true }),
});
export const BadgeOwned = story(BadgeCard, {
  holder: true,
  prepare: ({ api, session }) => {
    const userId = session.state.get().user?.id ?? '';
    api.on(at.rewards.purchases, [
      {
        id: '1',
        userId,
        walletAddress: ADDRESS,
        transactionHash: SIGNATURE,
        amountSol: 0.02,
        amountUsd: 3.12,
        purchasedAt: ORDER.createdAt,
      },
    ]);
  },
});
export const PurchaseProcessing = story(
  BadgeCard,
  { prepare: ({ api }) => void api.hang(at.rewards.orders) },
  'Purchase Badge',
);
export const PurchaseFailed = story(
  BadgeCard,
  {
    prepare: ({ api }) => void api.fail(at.rewards.createOrder, problem(503, 'The price is not known right now')),
  },
  'Purchase Badge',
  /Phantom/,
);
export const PurchaseDeclined = story(BadgeCard, failing({ kind: 'rejected' }), 'Purchase Badge', /Phantom/);
export const PurchaseNotEnough = story(
  BadgeCard,
  failing({ kind: 'not-enough', has: 10_000_000, needs: 20_895_880 }),
  'Purchase Badge',
  /Phantom/,
);
export const PurchaseWrongNetwork = story(
  BadgeCard,
  failing({ kind: 'wrong-network', network: 'solana:mainnet' }),
  'Purchase Badge',
  /Phantom/,
);
export const PurchaseNetworkAway = story(BadgeCard, failing({ kind: 'network-away' }), 'Purchase Badge', /Phantom/);
export const PurchaseUnderway = story(BadgeCard, {
  prepare: holding({ status: 'sent', transactionHash: SIGNATURE }),
});
export const PurchaseUnknown = story(BadgeCard, {
  prepare: holding({ status: 'unknown', transactionHash: SIGNATURE }),
});
export const PurchaseRefund = story(BadgeCard, {
  prepare: holding({
    status: 'refund',
    transactionHash: SIGNATURE,
    refunds: [
      {
        id: 'd'.repeat(32),
        orderId: ORDER.id,
        transactionHash: SIGNATURE,
        walletAddress: ADDRESS,
        lamports: ORDER.lamports,
        reason: 'order-expired',
        at: ORDER.createdAt,
        status: 'open',
        returnTransaction: null,
        returnedAt: null,
      },
    ],
  }),
});

export const OrderToApprove = story(
  BadgeCard,
  {
    prepare: ({ chain }) => {
      chain.onPay = () => new Promise(() => undefined);
    },
  },
  'Purchase Badge',
  /Phantom/,
);
export const OrderSent = story(
  BadgeCard,
  { prepare: holding({ status: 'sent', transactionHash: SIGNATURE }) },
  'Show payment',
);
export const OrderUnknown = story(
  BadgeCard,
  { prepare: holding({ status: 'unknown', transactionHash: SIGNATURE }) },
  'Show payment',
);
export const OrderNotReceived = story(BadgeCard, {
  prepare: holding({ reason: 'Your payment did not reach the network. Nothing was charged, and you can pay again.' }),
  open: ({ front }) => void front.desk().then((desk) => desk.showOrder(ORDER.id)),
});
export const OrderConfirmed: StoryObj = {
  ...story(BadgeCard, { prepare: ({ api }) => void api.on(at.rewards.createOrder, CONFIRMED) }),
  play: async () => {
    await press('Purchase Badge', /Phantom/);
    const owned = await screen.findByText('The badge is yours.');
    await waitFor(() => expect(owned).toBeVisible());
  },
};

export const OrderScan = story(BadgeCard, {}, 'Purchase Badge', /Wallet on another device/);

export const Button = story(WalletButton);
export const ButtonIcon: StoryObj = { render: () => <OnStage Part={WalletButton} stage={PLAIN} size="compact" /> };
export const ButtonHasWallet = story(WalletButton, {
  prepare: ({ chain, front }) => {
    front.wallet.set({ phase: 'has-wallet', name: 'Phantom', address: null });
    chain.resume = () => new Promise(() => undefined);
  },
});
export const ButtonConnecting = story(WalletButton, {
  prepare: ({ front }) => front.wallet.set({ phase: 'connecting', name: 'Phantom', address: null }),
});
export const ButtonConnected = story(
  WalletButton,
  { prepare: ({ front }) => front.wallet.set({ phase: 'connected', name: 'Phantom', address: ADDRESS }) },
  'Wallet 5FHw...UJnM',
);
export const ButtonDisconnecting = story(WalletButton, {
  prepare: ({ front }) => front.wallet.set({ phase: 'disconnecting', name: 'Phantom', address: null }),
});

export const Choice = story(WalletButton, {}, 'Connect wallet');
export const ChoiceForPayment = story(BadgeCard, {}, 'Purchase Badge');
export const ChoiceLooking = story(
  WalletButton,
  { prepare: (sdk) => void Object.assign(sdk.chain, { wallets: fakeChain(null).wallets }) },
  'Connect wallet',
);
export const ChoiceConnecting = connecting(() => new Promise(() => undefined));
export const ChoiceFailed = connecting(() => fails({ kind: 'timeout' }));
export const NoWalletFound = connecting(() => fails({ kind: 'not-found' }));
export const BrowserIncompatible = connecting(() => fails({ kind: 'incompatible' }));
export const ScanToConnect = story(
  WalletButton,
  { prepare: ({ chain }) => chain.link.set('solana-wallet:/v1/associate/remote?association=abc') },
  'Connect wallet',
);

export const PurchaseFromRankings = story(PurchaseButton);
export const PurchaseFromSettings: StoryObj = {
  render: () => <OnStage Part={PurchaseButton} stage={PLAIN} size="compact" />,
};

export const Claim = story(ClaimBanner, { holder: true });
export const ClaimProcessing = story(
  ClaimBanner,
  { holder: true, prepare: ({ api }) => void api.hang(at.rewards.cordClaim) },
  'Claim 10,000 CORD',
);
export const ClaimFailed = story(
  ClaimBanner,
  {
    holder: true,
    prepare: ({ api }) => void api.fail(at.rewards.cordClaim, problem(503, 'Failed to claim CORDs')),
  },
  'Claim 10,000 CORD',
);
export const ClaimDone: StoryObj = {
  ...story(ClaimBanner, { holder: true }),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Claim 10,000 CORD' }));
    await expect(await canvas.findByText('Reward Claimed!')).toBeVisible();
  },
};
export const ClaimedBefore = story(ClaimBanner, {
  holder: true,
  prepare: ({ api }) => void api.on(at.rewards.cordClaimHistory, { claims: [{ amount: 10_000, at: ORDER.createdAt }] }),
});
