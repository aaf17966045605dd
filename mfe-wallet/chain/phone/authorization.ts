import { deviceStorage } from '@cord/sdk';
import type { AuthorizationResult } from '@solana-mobile/mobile-wallet-adapter-protocol';

/** Wallet authorization, cached in local storage: token, accounts, wallet base address (spec part 3). */
const AUTHORIZATION_KEY = 'cord.wallet.authorization';

export function keepAuthorization(authorization: AuthorizationResult): void {
  deviceStorage.setItem(AUTHORIZATION_KEY, JSON.stringify(authorization));
}

export function forgetAuthorization(): void {
  deviceStorage.removeItem(AUTHORIZATION_KEY);
}

/** What a wallet app authorized before; null when it did not, or the record cannot be read. */
export function keptAuthorization(): AuthorizationResult | null {
  try {
    const kept = JSON.parse(deviceStorage.getItem(AUTHORIZATION_KEY) ?? 'null') as AuthorizationResult | null;
    return kept?.auth_token && kept.accounts?.length ? kept : null;
  } catch {
    return null;
  }
}
