/**
 * The development wallet, as a Wallet Standard wallet. The gateway puts this module into the page in local mode only; it
 * announces the wallet and loads the rest when the wallet is called.
 */
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzNiAzNiI+PHJlY3Qgd2lkdGg9IjM2IiBoZWlnaHQ9IjM2IiByeD0iOCIgZmlsbD0iIzQxM2EyNCIvPjxwYXRoIGQ9Ik05IDEzaDE4djEySDl6TTkgMTNsMTMtNHY0TTIzIDE4aDR2M2gtNHoiIGZpbGw9Im5vbmUiIHN0cm9rZT0iI2YyY2U4NiIgc3Ryb2tlLXdpZHRoPSIyIiBzdHJva2UtbGluZWpvaW49InJvdW5kIi8+PC9zdmc+';

const listeners = new Set();
let accounts = [];

const load = () => import('./features.mjs');
const onCall =
  (name) =>
  async (...inputs) => {
    const features = await load();
    return features[name](wallet, ...inputs);
  };

const wallet = {
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
      on(event, listener) {
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

/** Called by the features when the wallet lends other accounts than before. */
export function lend(lent) {
  accounts = lent;
  for (const listener of listeners) listener({ accounts });
}

const register = (api) => api.register(wallet);
window.addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail));
window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
