import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isPlainTarget } from '@cord/kit/http/request-target';
import { createProxyServer } from 'httpxy';
import type Koa from 'koa';
import type { Gateway } from '../app.js';
import type { GatewayConfig, HotReload } from '../config.js';
import { moduleFiles } from '../static/files.js';
import { servePage } from '../static/page.js';
import type { Published } from '../static/published.js';
import { publishedIn, type Releases, serveRegistry } from '../static/registry.js';
import { withDevelopmentWallet } from './wallet-script.js';

/** Serves `npm run dev`: page, assets and one module come from the hot-reload servers, the other modules from the store. */
export function serveHot(
  app: Koa,
  { shell, remote }: HotReload,
  { publicOrigin, moduleStore }: GatewayConfig,
  { releases, published }: { releases: Releases; published: Published },
): Gateway['attach'] {
  const proxy = createProxyServer({ changeOrigin: true });
  const serverOf = (path: string) => (remote && path.startsWith(remote.prefix) ? remote.url : shell);
  const sockets = [`ws://${publicOrigin.host}`];

  const registry = publishedIn(releases, null, remote);
  app.use(serveRegistry(registry));
  const page = withDevelopmentWallet(() => fetch(`${shell}/index.html`).then((answer) => answer.text()));
  app.use(servePage(page, registry, publicOrigin, () => sockets));
  app.use(async (ctx, next) => {
    if (remote && ctx.path.startsWith(remote.prefix)) return pass(ctx.req, ctx.res, ctx);
    return next();
  });
  app.use(moduleFiles(moduleStore, published));
  app.use((ctx) => pass(ctx.req, ctx.res, ctx));

  return (server: Server) => {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (!isPlainTarget(request.url ?? '')) return socket.destroy();
      proxy.ws(request, socket, { target: serverOf(request.url ?? '/') }, head).catch(() => socket.destroy());
    });
  };

  async function pass(request: IncomingMessage, response: ServerResponse, ctx: Koa.Context): Promise<void> {
    ctx.respond = false;
    ctx.remove('content-security-policy');
    await proxy.web(request, response, { target: serverOf(ctx.path) });
  }
}
