import { renderWithSdk, settle } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { BadgeCard } from './badge-card';
import { type WalletSdk, walletSdk } from './wallet.fixtures';
import { WalletHost } from './wallet-host';

export interface Stage {
  sdk: WalletSdk;
  press: (name: string | RegExp) => Promise<void>;
}

/** Renders a part of the module with a prepared sdk. */
export async function stage(what: ReactNode, prepare: (sdk: WalletSdk) => void = () => undefined): Promise<Stage> {
  const sdk = walletSdk();
  prepare(sdk);
  const { user } = renderWithSdk(
    <>
      {what}
      <WalletHost />
    </>,
    sdk,
  );
  await settle();
  const press = async (name: string | RegExp) => {
    await user.click(screen.getByRole('button', { name }));
  };
  return { sdk, press };
}

/** Renders the badge card with the offer. */
export const offer = (prepare?: (sdk: WalletSdk) => void): Promise<Stage> => stage(<BadgeCard />, prepare);

/** Presses Purchase and selects the first wallet. */
export async function buy(prepare?: (sdk: WalletSdk) => void): Promise<Stage> {
  const shown = await offer(prepare);
  await shown.press('Purchase Badge');
  await shown.press(/Phantom/);
  return shown;
}
