import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configuration } from '@rspack/core';
import { createProxyServer } from 'httpxy';
import { type ServedEntry, servedEntry } from './served-module.ts';

const TIMEOUT_MS = 10_000;
const PATCHED = ['/', '/index.html', '/remotes.json'];
/** The registry in the page (infra/gateway/static/page.ts). */
const REGISTRY_IN_PAGE = /(<script type="application\/json" id="cord-registry"[^>]*>)([\s\S]*?)(<\/script>)/;
const FORWARDED = ['accept', 'accept-language', 'cookie', 'user-agent'] as const;

/**
 * Returns the dev server options of one module in a remote shell (`rspack serve --env shell=URL`). The module's
 * registry entry is overridden and its files come from here; everything else comes from that shell. The page reloads
 * after each build.
 * @param module `shell`: address of a running system; `dir`: the module's folder
 */
export function inRunningShell({
  shell,
  name,
  dir,
}: {
  shell: string;
  name: string;
  dir: string;
}): NonNullable<Exclude<Configuration['devServer'], false>> {
  return {
    hot: false,
    liveReload: true,
    allowedHosts: 'auto',
    setupMiddlewares: (middlewares) => [
      ...middlewares,
      overrideRegistry({ shell: new URL(shell), name, entry: servedEntry(name, dir) }),
    ],
    onListening: ({ server }) => {
      console.log(`${name} from this folder, everything else from ${shell}\n${name} is ready at ${originOf(server)}`);
    },
  };
}

/** Proxies requests to a running shell, and replaces one entry of its registry. */
export function overrideRegistry({ shell, name, entry }: { shell: URL; name: string; entry: ServedEntry }) {
  const proxy = createProxyServer({
    target: shell.origin,
    changeOrigin: true,
    autoRewrite: true,
    protocolRewrite: 'http',
  });
  const override = (text: string) => {
    const registry = JSON.parse(text);
    return JSON.stringify({ ...registry, modules: { ...registry.modules, [name]: entry } });
  };
  const inPage = (html: string) =>
    html.replace(REGISTRY_IN_PAGE, (_, open: string, data: string, close: string) => {
      return `${open}${override(data).replaceAll('<', '\\u003c')}${close}`;
    });

  async function patched(request: IncomingMessage, response: ServerResponse, path: string, search: string) {
    const given = FORWARDED.map((header) => [header, request.headers[header]] as const);
    const headers = given.filter((one): one is [(typeof FORWARDED)[number], string] => one[1] !== undefined);
    const answer = await fetch(`${shell.origin}${path}${search}`, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    const policy = answer.headers.get('content-security-policy');
    // The module's client receives builds over a WebSocket.
    if (policy) {
      const socket = `ws://${request.headers.host}`;
      response.setHeader('content-security-policy', policy.replace(/connect-src [^;]*/, `$& ${socket}`));
    }
    response.setHeader('content-type', answer.headers.get('content-type') ?? 'text/plain');
    response.setHeader('cache-control', 'no-store');
    response.statusCode = answer.status;
    const patch = path === '/remotes.json' ? override : inPage;
    response.end(answer.ok ? patch(text) : text);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const own = `http://${request.headers.host}`;
    const [path = '/', search = ''] = request.url?.split(/(?=\?)/) ?? [];
    try {
      if (request.method === 'GET' && PATCHED.includes(path)) return await patched(request, response, path, search);
      // The shell accepts writes from its own origin only, so the headers are rewritten.
      for (const header of ['origin', 'referer'] as const)
        if (request.headers[header]) request.headers[header] = request.headers[header].replace(own, shell.origin);
      await proxy.web(request, response);
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(`${shell.origin} does not respond: ${(error as Error).message}`);
    }
  };
}

function originOf(server: Server): string {
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
