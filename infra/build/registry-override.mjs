import { createProxyServer } from 'httpxy';
import { servedEntry } from './served-module.mjs';

const TIMEOUT_MS = 10_000;
const PATCHED = ['/', '/index.html', '/remotes.json'];
/** The registry that is part of the page (infra/gateway/static/page.ts). */
const REGISTRY_IN_PAGE = /(<script type="application\/json" id="cord-registry"[^>]*>)([\s\S]*?)(<\/script>)/;
const PASSED_ON = ['accept', 'accept-language', 'cookie', 'user-agent'];

/**
 * Options of the dev server of one module (`rspack serve --env shell=URL`), which shows it in a shell that runs elsewhere: the
 * module's entry in the registry is overridden, its files come from here, everything else from that shell. The page reloads when
 * the module has been rebuilt.
 * @param {{ shell: string, name: string, dir: string }} module `shell`: address of a running system; `dir`: the module's folder
 * @returns {import('@rspack/core').DevServer}
 */
export function inRunningShell({ shell, name, dir }) {
  return {
    hot: false,
    liveReload: true,
    allowedHosts: 'auto',
    setupMiddlewares: (middlewares) => [
      ...middlewares,
      overrideRegistry({ shell: new URL(shell), name, entry: servedEntry(name, dir) }),
    ],
    onListening: ({ server }) => {
      console.log(`${name} of this folder, everything else of ${shell}\n${name} is ready at ${originOf(server)}`);
    },
  };
}

/**
 * Passes requests to a running shell, and replaces one entry of its registry.
 * @param {{ shell: URL, name: string, entry: object }} given
 * @returns {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>}
 */
export function overrideRegistry({ shell, name, entry }) {
  const proxy = createProxyServer({
    target: shell.origin,
    changeOrigin: true,
    autoRewrite: true,
    protocolRewrite: 'http',
  });
  const override = (text) => {
    const registry = JSON.parse(text);
    return JSON.stringify({ ...registry, modules: { ...registry.modules, [name]: entry } });
  };
  const inPage = (html) =>
    html.replace(REGISTRY_IN_PAGE, (_, open, data, close) => {
      return `${open}${override(data).replaceAll('<', '\\u003c')}${close}`;
    });

  async function patched(request, response, path, search) {
    const headers = Object.fromEntries(
      PASSED_ON.flatMap((header) => (request.headers[header] ? [[header, request.headers[header]]] : [])),
    );
    const answer = await fetch(`${shell.origin}${path}${search}`, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    const policy = answer.headers.get('content-security-policy');
    // The module's client listens for new builds by a socket.
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

  return async (request, response) => {
    const own = `http://${request.headers.host}`;
    const [path, search] = request.url.split(/(?=\?)/);
    try {
      if (request.method === 'GET' && PATCHED.includes(path))
        return await patched(request, response, path, search ?? '');
      // Writes are accepted from the shell's own origin, which this one stands for.
      for (const header of ['origin', 'referer'])
        if (request.headers[header]) request.headers[header] = request.headers[header].replace(own, shell.origin);
      await proxy.web(request, response);
    } catch (error) {
      if (response.headersSent) return response.destroy();
      response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(`${shell.origin} does not answer: ${error.message}`);
    }
  };
}

function originOf(server) {
  return `http://localhost:${server.address().port}`;
}
