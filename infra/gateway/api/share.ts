import type Koa from 'koa';

/** `/verify.mjs`: the verifier of proofs, which mining serves below /api. */
export const verifier: Koa.Middleware = (ctx, next) => {
  if (ctx.path === '/verify.mjs') ctx.url = `/api${ctx.url}`;
  return next();
};

/**
 * `/share/<code>.png`: the card of a shared link, which its owner draws below /api like every other answer. Whoever shows a
 * preview of a link may put it into a page of theirs.
 */
export const shareCards: Koa.Middleware = (ctx, next) => {
  if (!ctx.path.startsWith('/share/')) return next();
  ctx.set('cross-origin-resource-policy', 'cross-origin');
  ctx.url = `/api${ctx.url}`;
  return next();
};
