import { BODY_LIMIT_BYTES, JSON_DEPTH_MAX } from '@cord/contracts/limits';
import { bodyParser } from '@koa/bodyparser';
import type { Context, Middleware, Next } from 'koa';
import { badInput, Problem } from '../problem.js';

/**
 * Reads a JSON body into `ctx.request.body`; without one it is {}. Refuses another content type with 415, more than
 * `limitBytes` with 413, and malformed JSON or nesting deeper than 32 with 400.
 */
export function jsonBodyUpTo(limitBytes: number): Middleware {
  const tooLarge = () => new Problem(413, 'body-too-large', `The body may have at most ${limitBytes} bytes`);
  const parse = bodyParser({
    enableTypes: ['json'],
    jsonLimit: limitBytes,
    jsonStrict: true,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    onError: (err: Error & { status?: number }) => {
      throw err.status === 413 ? tooLarge() : bodyProblem(err);
    },
  });
  return async (ctx: Context, next: Next) => {
    if (!hasBody(ctx)) {
      ctx.request.body = {};
      return next();
    }
    if (!ctx.is('application/json')) {
      throw new Problem(415, 'content-type', 'The body must be application/json');
    }
    if (ctx.request.charset && !/^utf-?8$/i.test(ctx.request.charset)) {
      throw new Problem(415, 'content-type', 'The body must be UTF-8');
    }
    if (Number(ctx.get('content-length') || 0) > limitBytes) throw tooLarge();
    return parse(ctx, async () => {
      if (isDeeperThan(ctx.request.body, JSON_DEPTH_MAX)) {
        throw badInput('body', `must not be nested deeper than ${JSON_DEPTH_MAX}`);
      }
      await next();
    });
  };
}

/** The same with the default limit of every route, 64 KiB. */
export const jsonBody: Middleware = jsonBodyUpTo(BODY_LIMIT_BYTES);

/** Whether a value is nested deeper than `depthMax`; each array or object counts one level. Does not recurse. */
function isDeeperThan(value: unknown, depthMax: number): boolean {
  let level = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    const next: object[] = [];
    for (const container of level) {
      for (const item of Object.values(container)) {
        if (isContainer(item)) next.push(item);
      }
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function hasBody(ctx: Context): boolean {
  return ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0;
}

function bodyProblem(err: Error & { status?: number }): Problem {
  if (err instanceof Problem) return err;
  if (err.status === 415) return new Problem(415, 'content-type', 'The encoding of the body is not supported');
  return badInput('body', 'must be JSON');
}
