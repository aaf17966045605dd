import type Koa from 'koa';

/** Serves `/verify.mjs`, the verifier of proofs, from mining's call below /api. */
export const verifier: Koa.Middleware = (ctx, next) => {
  if (ctx.path === '/verify.mjs') ctx.url = `/api${ctx.url}`;
  return next();
};

/**
 * Serves `/share/<code>.png`, the card of a shared link, from its owner's call below /api. Other sites may embed it
 * in a preview of the link.
 */
export const shareCards: Koa.Middleware = (ctx, next) => {
  if (!ctx.path.startsWith('/share/')) return next();
  ctx.set('cross-origin-resource-policy', 'cross-origin');
  ctx.url = `/api${ctx.url}`;
  return next();
};
