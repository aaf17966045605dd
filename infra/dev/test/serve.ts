import { serveHttp } from '@cord/kit/testing/http-server';
import type Koa from 'koa';

/** Starts a server on a free port; its address is known before its app is made. */
export async function serve() {
  const { server, url: origin, stop } = await serveHttp();
  return {
    origin,
    answerWith(app: Koa): void {
      app.silent = true;
      const handle = app.callback();
      server.on('request', (request, response) => void handle(request, response));
    },
    /** Sends JSON. */
    post: (path: string, body: unknown) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    close: stop,
  };
}
