import type { PageSource } from '../static/page.js';

const SCRIPT = '<script type="module" nonce="__CSP_NONCE__" src="/dev/wallet/register.js"></script>';

/** Adds the development wallet's script to the page (infra/dev/wallet); in local mode only. */
export function withDevelopmentWallet(source: PageSource): PageSource {
  return async () => (await source()).replace('</head>', `${SCRIPT}</head>`);
}
