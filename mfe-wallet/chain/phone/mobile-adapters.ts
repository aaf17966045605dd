import type { WritableStore } from '@cord/sdk';
import { WalletReadyState } from '@solana/wallet-adapter-base';
import type { ChainId } from '../../failures';
import { MobileAdapter, type MobileSession } from './mobile-adapter';

/** The library's name, so that the provider uses this adapter in its place. */
export const PHONE_WALLET = 'Mobile Wallet Adapter';
export const REMOTE_WALLET = 'Remote Mobile Wallet Adapter';

interface Surroundings {
  chain: () => Promise<ChainId>;
  /** The URL of the code that a phone scans; null if none is shown. */
  link: WritableStore<string | null>;
  /** Host of the operator's reflector; null without one. */
  reflector: string | null;
}

/** Wallet apps: on this phone, and with a configured reflector on another phone that scans a code. */
export function mobileAdapters({ chain, link, reflector }: Surroundings): MobileAdapter[] {
  const adapters: MobileAdapter[] = [];
  if (/android/i.test(navigator.userAgent)) {
    adapters.push(
      new MobileAdapter({ name: PHONE_WALLET, icon: PHONE_ICON, chain, readyState: onThisPhone(), open: openLocal }),
    );
  }
  if (reflector !== null && adapters.length === 0) {
    const open = () => openRemote(reflector, link);
    adapters.push(
      new MobileAdapter({ name: REMOTE_WALLET, icon: PHONE_ICON, chain, readyState: WalletReadyState.Loadable, open }),
    );
  }
  return adapters;
}

/** The protocol runs in secure contexts only. */
function onThisPhone(): WalletReadyState {
  return window.isSecureContext ? WalletReadyState.Loadable : WalletReadyState.Unsupported;
}

async function openLocal(walletUriBase: string | undefined): Promise<MobileSession> {
  const { startScenario } = await import('@solana-mobile/mobile-wallet-adapter-protocol');
  return startScenario(walletUriBase === undefined ? {} : { baseUri: walletUriBase });
}

async function openRemote(remoteHostAuthority: string, link: WritableStore<string | null>): Promise<MobileSession> {
  const { startRemoteScenario } = await import('@solana-mobile/mobile-wallet-adapter-protocol');
  const { associationUrl, wallet, close } = await startRemoteScenario({ remoteHostAuthority });
  link.set(associationUrl.href);
  const stop = link.listen(() => link.get() === null && close());
  const shown = wallet.finally(() => {
    stop();
    link.set(null);
  });
  return { wallet: shown, close };
}

/** The icon of a phone with a wallet's flap, as the data: URL that wallet lists require. */
const PHONE_ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzNiAzNiI+PHJlY3Qgd2lkdGg9IjM2IiBoZWlnaHQ9IjM2IiByeD0iOCIgZmlsbD0iIzJlNTE0MCIvPjxyZWN0IHg9IjEyIiB5PSI3IiB3aWR0aD0iMTIiIGhlaWdodD0iMjIiIHJ4PSIyLjUiIGZpbGw9Im5vbmUiIHN0cm9rZT0iI2NmZjJkZiIgc3Ryb2tlLXdpZHRoPSIyIi8+PHBhdGggZD0iTTE2LjUgMjVoMyIgc3Ryb2tlPSIjY2ZmMmRmIiBzdHJva2Utd2lkdGg9IjIiIHN0cm9rZS1saW5lY2FwPSJyb3VuZCIvPjwvc3ZnPg==';
