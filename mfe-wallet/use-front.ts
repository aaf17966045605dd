import { useSdk, useStore } from '@cord/sdk';
import { type Front, frontOf, type PurchaseView, type WalletState } from './front';

export function useFront(): Front {
  return frontOf(useSdk());
}

export function useWallet(): WalletState {
  return useStore(useFront().wallet);
}

export function usePurchase(): PurchaseView {
  return useStore(useFront().purchase);
}
