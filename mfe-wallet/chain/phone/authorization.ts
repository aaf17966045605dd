import { deviceStorage } from '@cord/sdk';
import type { AuthorizationResult } from '@solana-mobile/mobile-wallet-adapter-protocol';
import { AUTHORIZATION_KEY } from '../../front';
import { keptJson } from '../../kept';

/* A wallet's leave, kept on this device: token, accounts and the wallet's base address. */

export function keepAuthorization(authorization: AuthorizationResult): void {
  deviceStorage.setItem(AUTHORIZATION_KEY, JSON.stringify(authorization));
}

export function forgetAuthorization(): void {
  deviceStorage.removeItem(AUTHORIZATION_KEY);
}

/** What a wallet app authorized before; null when it did not, or the record cannot be read. */
export function keptAuthorization(): AuthorizationResult | null {
  const kept = keptJson<AuthorizationResult>(AUTHORIZATION_KEY);
  return kept?.auth_token && kept.accounts?.length ? (kept as AuthorizationResult) : null;
}
