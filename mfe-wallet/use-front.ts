import { useSdk, useStore } from '@cord/sdk';
import { type Front, frontOf, type WalletState } from './front';
import type { PurchaseView } from './purchase-machine';

export function useFront(): Front {
  return frontOf(useSdk());
}

export function useWallet(): WalletState {
  return useStore(useFront().wallet);
}

export function usePurchase(): PurchaseView {
  return useStore(useFront().purchase.view);
}
