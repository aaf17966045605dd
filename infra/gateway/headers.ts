import { createHash } from 'node:crypto';
import type Koa from 'koa';
import helmet from 'koa-helmet';

const YEAR_SECONDS = 31_536_000;

/** Policies of every bundle, of the loader of modules and of the offline worker (infra/build/README.md, Content security policy). */
const TRUSTED_TYPES = "cord-bundler cord-loader cord-worker 'allow-duplicates'";

/** What the app never requests of a browser. */
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
 * Answers without a page carry nothing that a browser may run or frame, and call nobody: a page that is opened beside one of ours has no other
 * policy than its own, and whoever has opened it runs in it what they like.
 */
export const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * The policy of the page: no inline code, no eval, Trusted Types at every sink.
 * @param nonce fresh in each response
 * @param socketOrigins addresses of hot reload under `npm run dev`, and of wallets on phones; empty otherwise
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

/** The policy of the offline page, which brings its style and script along: these and nothing else. */
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

/** The policy of a page that brings its style along and runs nothing. */
export function stylePolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
}

/**
 * The policy of a file: a worker that is made of it calls this origin alone, as the page does, whoever has published the file; a page that is made
 * of it runs nothing. A picture may have a style of its own.
 */
export const FILE_POLICY =
  "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The headers that every answer has, whoever made it; pages and files have another content policy in its place. */
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
