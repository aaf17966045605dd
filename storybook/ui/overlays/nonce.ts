import { setNonce } from 'get-nonce';

/**
 * Radix adds one style element while a dialog is open (it stops the page from scrolling). The page's security policy
 * allows style elements by nonce only; the gateway writes it into `<meta name="csp-nonce">`.
 */
const nonce =
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
if (nonce) setNonce(nonce);
