import { deviceStorage } from '@cord/sdk';
import type { AuthorizationResult } from '@solana-mobile/mobile-wallet-adapter-protocol';
import { AUTHORIZATION_KEY } from '../../front';

/* A wallet's leave, kept on this device: token, accounts and the wallet's base address. */

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
