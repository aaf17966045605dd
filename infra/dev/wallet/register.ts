/**
 * The development wallet, as a Wallet Standard wallet. The gateway adds this module to the page in local mode only. It
 * announces the wallet, and loads the rest on first use.
 */
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzNiAzNiI+PHJlY3Qgd2lkdGg9IjM2IiBoZWlnaHQ9IjM2IiByeD0iOCIgZmlsbD0iIzQxM2EyNCIvPjxwYXRoIGQ9Ik05IDEzaDE4djEySDl6TTkgMTNsMTMtNHY0TTIzIDE4aDR2M2gtNHoiIGZpbGw9Im5vbmUiIHN0cm9rZT0iI2YyY2U4NiIgc3Ryb2tlLXdpZHRoPSIyIiBzdHJva2UtbGluZWpvaW49InJvdW5kIi8+PC9zdmc+';

/** An account shared with the page, in the form of the Wallet Standard. */
export interface Account {
  address: string;
  publicKey: Uint8Array;
  chains: string[];
  features: string[];
  label: string;
}

/** The properties that the Wallet Standard requires, and those of this wallet. */
export interface Wallet {
  readonly version: '1.0.0';
  readonly name: string;
  readonly icon: string;
  readonly chains: readonly string[];
  readonly accounts: readonly Account[];
  readonly features: Readonly<Record<string, object>>;
}

type Listener = (changed: { accounts: readonly Account[] }) => void;

const listeners = new Set<Listener>();
let accounts: readonly Account[] = [];

const load = () => import('./features.js');
const onCall =
  (name: 'connect' | 'disconnect' | 'signTransaction' | 'signAndSendTransaction' | 'signMessage') =>
  async (...inputs: never[]): Promise<unknown> => {
    const features: Record<string, (wallet: Wallet, ...inputs: never[]) => Promise<unknown>> = await load();
    return features[name]?.(wallet, ...inputs);
  };

const wallet: Wallet = {
  version: '1.0.0',
  name: 'Development Wallet',
  icon: ICON,
  chains: ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet'],
  get accounts() {
    return accounts;
  },
  features: {
    'standard:connect': { version: '1.0.0', connect: onCall('connect') },
    'standard:disconnect': { version: '1.0.0', disconnect: onCall('disconnect') },
    'standard:events': {
      version: '1.0.0',
      on(event: string, listener: Listener) {
        if (event !== 'change') return () => {};
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: onCall('signTransaction'),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signAndSendTransaction: onCall('signAndSendTransaction'),
    },
    'solana:signMessage': { version: '1.1.0', signMessage: onCall('signMessage') },
  },
};

/** Called by the features when the shared accounts change. */
export function lend(lent: readonly Account[]): void {
  accounts = lent;
  for (const listener of listeners) listener({ accounts });
}

const register = (api: { register: (wallet: Wallet) => void }) => api.register(wallet);
window.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail));
window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
