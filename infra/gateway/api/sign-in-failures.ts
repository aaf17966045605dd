import type { ServerResponse } from 'node:http';
import type Koa from 'koa';

/** The two pages of the Discord sign-in that a browser opens directly (services/auth/README.md#a-sign-in). */
const START = '/api/auth/discord';
const CALLBACK = '/api/auth/discord/callback';

/**
 * Redirects browsers in the Discord sign-in to the app when they would see an error as raw JSON (a service that is
 * down, a limit, a timeout); the app's dialog explains it. Programs and successful responses are not affected.
 */
export const signInFailures: Koa.Middleware = async (ctx, next) => {
  const mayFail = ctx.path === START || ctx.path === CALLBACK;
  if (mayFail && ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html') {
    redirectErrors(ctx.res, (status) => `/?auth_error=${keyOf(ctx.path, status)}`);
  }
  return next();
};

/** Returns the error key with the best matching text. */
function keyOf(path: string, status: number): string {
  if (path === START) return 'start_failed';
  return status >= 500 || status === 429 ? 'database' : 'code_expired';
}

/** Headers of the error's body and retry, which are not sent. */
const OF_THE_ERROR = /^(content-(type|length|encoding)|transfer-encoding|retry-after)$/;

/** Turns a response of 400 and above into a redirect, whether it is written by Koa or the proxy, at once or in parts. */
function redirectErrors(response: ServerResponse, address: (status: number) => string): void {
  // The originals have many overloads; arguments are passed on unchanged.
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
