/**
 * Replaces @solana-mobile/wallet-adapter-mobile in the bundle: the wallet provider creates one of these on
 * phones, unless there is an adapter of that name. There is (mobile-adapters.ts), so the library's dialogs, which the content
 * security policy refuses, are not bundled with their fonts and styles.
 */
export { MobileAdapter as SolanaMobileWalletAdapter } from './mobile-adapter';
export { PHONE_WALLET as SolanaMobileWalletAdapterWalletName } from './mobile-adapters';

const ours = () => undefined;

export {
  ours as createDefaultAddressSelector,
  ours as createDefaultAuthorizationResultCache,
  ours as createDefaultWalletNotFoundHandler,
};
