import { createHash } from 'node:crypto';
import type Koa from 'koa';
import helmet from 'koa-helmet';

const YEAR_SECONDS = 31_536_000;

/** Trusted Types policies of the bundles, the module loader and the offline worker (infra/build/README.md, Content security policy). */
const TRUSTED_TYPES = "cord-bundler cord-loader cord-worker 'allow-duplicates'";

/** Browser features that the app never uses. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Policy of responses that are no page: they run nothing, are not framed and call nobody. A page opened beside ours
 * has only its own policy, and its opener can run any code in it.
 */
export const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * Returns the page's policy: no inline code, no eval, Trusted Types at every sink.
 * @param nonce fresh in each response
 * @param socketOrigins WebSocket origins of hot reload under `npm run dev`, and of wallets on phones; empty otherwise
 */
export function pagePolicy(nonce: string, socketOrigins: readonly string[] = []): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...socketOrigins].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES}`,
  ].join('; ');
}

/** Returns the policy of the offline page: only its own inline style and script. */
export function offlinePolicy(hashes: { style: string; script: string }): string {
  return [
    "default-src 'none'",
    `style-src '${hashes.style}'`,
    `script-src '${hashes.script}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the policy of a page with an inline style and without scripts. */
export function stylePolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
}

/**
 * Policy of a file: a worker created from it can only call this origin, like the page, whoever published the file; a
 * page created from it runs nothing. A picture may have inline styles.
 */
export const FILE_POLICY =
  "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Sets the headers of every response; pages and files replace the content policy. */
export function securityHeaders(publicOrigin: URL): Koa.Middleware {
  const secure = publicOrigin.protocol === 'https:';
  const set = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: secure ? { maxAge: YEAR_SECONDS, includeSubDomains: true } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
  });
  return async (ctx, next) => {
    ctx.set({ 'permissions-policy': PERMISSIONS_POLICY, 'content-security-policy': BARE_POLICY });
    await set(ctx, next);
  };
}
