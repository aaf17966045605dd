import type { ServerResponse } from 'node:http';
import type Koa from 'koa';

/** The two pages of the way through Discord that a browser opens by itself (services/auth/README.md#a-sign-in). */
const START = '/api/auth/discord';
const CALLBACK = '/api/auth/discord/callback';

/**
 * A browser on its way through Discord that would see an error as raw JSON (a service that is down, a limit, a timeout) is sent
 * to the app instead, whose modal has a text for it. Programs, and everything that works, are left alone.
 */
export const signInFailures: Koa.Middleware = async (ctx, next) => {
  const mayFail = ctx.path === START || ctx.path === CALLBACK;
  if (mayFail && ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html') {
    sendErrorsElsewhere(ctx.res, (status) => `/?auth_error=${keyOf(ctx.path, status)}`);
  }
  return next();
};

/** The KEY whose text fits best. */
function keyOf(path: string, status: number): string {
  if (path === START) return 'start_failed';
  return status >= 500 || status === 429 ? 'database' : 'code_expired';
}

/** Headers of the body and the wait that are not sent. */
const OF_THE_ERROR = /^(content-(type|length|encoding)|transfer-encoding|retry-after)$/;

/** Turns an answer of 400 and above into a redirect, however it is written: by Koa, by the proxy, all at once or in parts. */
function sendErrorsElsewhere(response: ServerResponse, address: (status: number) => string): void {
  // Kept as they are: each has many signatures, and what is given goes through unchanged.
  const { end, write, writeHead } = response as unknown as Record<string, (...given: unknown[]) => unknown>;
  if (end === undefined || write === undefined || writeHead === undefined) return;
  const failed = () => !response.headersSent && response.statusCode >= 400;
  const redirect = () => {
    const location = address(response.statusCode);
    for (const name of response.getHeaderNames()) if (OF_THE_ERROR.test(name)) response.removeHeader(name);
    response.statusCode = 302;
    response.setHeader('location', location);
    response.setHeader('cache-control', 'no-store');
    end.call(response);
  };
  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      response.statusCode = status;
      return status >= 400 ? response : writeHead.call(response, status, ...rest);
    },
    write(...given: unknown[]) {
      if (response.writableEnded) return true;
      if (!failed()) return write.apply(response, given);
      redirect();
      return true;
    },
    end(...given: unknown[]) {
      if (response.writableEnded) return response;
      if (!failed()) return end.apply(response, given);
      redirect();
      return response;
    },
  });
}
