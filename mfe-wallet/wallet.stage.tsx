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

/** Shows a part of the module, on an sdk prepared for it. */
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

/** Shows the badge as it is offered. */
export const offer = (prepare?: (sdk: WalletSdk) => void): Promise<Stage> => stage(<BadgeCard />, prepare);

/** Presses Purchase and picks the first wallet. */
export async function buy(prepare?: (sdk: WalletSdk) => void): Promise<Stage> {
  const shown = await offer(prepare);
  await shown.press('Purchase Badge');
  await shown.press(/Phantom/);
  return shown;
}
