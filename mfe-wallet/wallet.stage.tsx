import { act, cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { loadOverlays } from '@cord/ui';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { type WalletSdk, walletSdk } from './wallet.fixtures';

/** Timers of the test, storage of nobody, and a page that is empty again afterwards. */
export function onStage(): void {
  beforeAll(loadOverlays);
  beforeEach(() => {
    localStorage.clear();
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });
  afterEach(async () => {
    await act(async () => {
      for (const sdk of stages.splice(0)) await sdk.leave();
    });
    cleanup();
    vi.useRealTimers();
  });
}

const stages: WalletSdk[] = [];

/** Lets that much time go by, with everything that follows. */
export const settle = (ms = 50) => act(async () => vi.advanceTimersByTimeAsync(ms));

export interface Stage {
  sdk: WalletSdk;
  press: (name: string | RegExp) => Promise<void>;
}

/** Shows a part of the module, on an sdk prepared for it. */
export async function stage(what: ReactNode, prepare: (sdk: WalletSdk) => void = () => undefined): Promise<Stage> {
  const sdk = walletSdk();
  stages.push(sdk);
  prepare(sdk);
  const { user } = renderWithSdk(what, sdk);
  await settle();
  const press = async (name: string | RegExp) => {
    await user.click(screen.getByRole('button', { name }));
    await settle();
  };
  return { sdk, press };
}
