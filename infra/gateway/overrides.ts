import type Koa from 'koa';
import { refuse } from './api/problem.js';

/** What `npm run dev -- MODULE --shell URL` says with each request (infra/dev/beside). */
const OVERRIDE_HEADER = 'x-cord-override';

/** In production nobody is served by way of a developer's machine that puts a module of its own into the page. */
export const noOverrides: Koa.Middleware = async (ctx, next) => {
  if (ctx.get(OVERRIDE_HEADER) === '') return next();
  ctx.respond = false;
  const message = 'Modules are overridden in local mode only.';
  refuse(ctx.res, { status: 403, type: 'override-refused', message }, String(ctx.state.requestId));
};
