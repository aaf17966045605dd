import { randomUUID } from 'node:crypto';
import type { Context, Middleware, Next } from 'koa';
import { isRequestId } from '../cause.js';
import { FIELD_LANGUAGES } from '../field-messages.js';
import type { Log } from '../log.js';
import { Problem, unavailable } from '../problem.js';
import { isStoreUnavailable } from '../store-errors.js';
import { languageOf } from './language.js';
import { traceparentOf } from './trace.js';

declare module 'koa' {
  interface DefaultState {
    requestId: string;
    /** W3C traceparent of the request's trace. */
    traceparent: string;
    /** Endpoint id, for figures and logs. */
    route?: string;
    userId?: string;
    /** For a raw route: the client's address as limits count it. */
    address?: string;
  }
}

/** Sets each request's id and trace: the caller's X-Request-Id and traceparent when they are safe, else new ones. */
export function requestIds(): Middleware {
  return async (ctx: Context, next: Next) => {
    const given = ctx.get('x-request-id');
    ctx.state.requestId = isRequestId(given) ? given : randomUUID();
    ctx.state.traceparent = traceparentOf(ctx.get('traceparent'));
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}

/** Converts any thrown error to problem details. An unexpected error is logged and its details stay hidden. */
export function problemDetails(log: Log): Middleware {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (err) {
      answerProblem(ctx, asProblem(err, ctx, log));
    }
  };
}

function answerProblem(ctx: Context, problem: Problem): void {
  ctx.status = problem.status;
  ctx.set({ ...problem.headers });
  ctx.type = 'application/problem+json';
  const language = problem.errors ? languageOf(ctx, FIELD_LANGUAGES) : undefined;
  ctx.body = JSON.stringify(problem.toDetails(ctx.state.requestId, language));
}

function asProblem(err: unknown, ctx: Context, log: Log): Problem {
  const where = { method: ctx.method, path: ctx.path, route: ctx.state.route };
  if (err instanceof Problem) {
    if (err.status >= 500) log.warn({ err, ...where }, 'a request could not be served');
    return err;
  }
  if (isStoreUnavailable(err)) {
    log.warn({ err, ...where }, 'the store is unavailable');
    return unavailable('store-unavailable', 'This is not available right now. Please try again.', 2);
  }
  if (isClientFault(err)) return new Problem(err.status, 'bad-request', 'The request cannot be understood');
  log.error({ err, ...where }, 'a request failed');
  return new Problem(500, 'internal-error', 'Something went wrong. Please try again.');
}

/** Whether an error of Koa or its parsers is about the request itself. */
function isClientFault(err: unknown): err is { status: number } {
  if (err instanceof URIError) Object.assign(err, { status: 400, expose: true });
  if (typeof err !== 'object' || err === null || !('status' in err) || !('expose' in err)) return false;
  return err.expose === true && typeof err.status === 'number' && err.status >= 400 && err.status < 500;
}
