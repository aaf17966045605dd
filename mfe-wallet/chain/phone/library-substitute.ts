/**
 * Stands in for @solana-mobile/wallet-adapter-mobile in the bundle: the wallet provider makes one of these by itself on
 * phones, unless there is one of that name. There is (mobile-adapters.ts), and the library's dialogs, which the content
 * security policy refuses, stay out with their fonts and styles.
 */
export { MobileAdapter as SolanaMobileWalletAdapter } from './mobile-adapter';
export { PHONE_WALLET as SolanaMobileWalletAdapterWalletName } from './mobile-adapters';

const ours = () => undefined;

export {
  ours as createDefaultAddressSelector,
  ours as createDefaultAuthorizationResultCache,
  ours as createDefaultWalletNotFoundHandler,
};
