import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Said with each request; a shell outside local mode answers none that has it. The gateway has the same name. */
export const OVERRIDE_HEADER = 'x-cord-override';
const BAR = '/beside/bar.mjs';
/** What stands in the page as data (infra/gateway/static/page.ts). */
const REGISTRY_IN_PAGE = /(<script type="application\/json" id="cord-registry"[^>]*>)([\s\S]*?)(<\/script>)/;

/**
 * An origin on this machine that is the running shell in all but one module: that one comes from its own server here, in the
 * registry and in its files. Nothing of it is known to the shell's code, or left behind in the system.
 *
 * Only its own page is answered: with `token` each call is that person's, so another site's page, or one under another name that points here, must
 * not reach it.
 *
 * @param {{shell: URL, remote: {name: string, url: string, prefix: string}, token?: string}} given `token`: a session
 *   that calls are made with, where nobody can sign in by this address
 * @returns {http.Server} not listening yet
 */
export function createFront({ shell, remote, token }) {
  const server = http.createServer((request, response) => {
    const refused = refusalOf(request);
    if (refused) return response.writeHead(...refused, { 'content-type': 'text/plain', connection: 'close' }).end();
    answer(request, response).catch((error) => {
      if (response.headersSent) return response.destroy();
      response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(`${shell.origin} does not answer: ${error.message}`);
    });
  });
  // Only the module's server opens sockets.
  server.on('upgrade', (request, socket, head) => {
    if (refusalOf(request)) return socket.destroy();
    const { hostname, port } = new URL(remote.url);
    const upstream = connect(Number(port), hostname, () => {
      const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      if (head.length > 0) upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    for (const one of [socket, upstream])
      one.on('error', () => {
        socket.destroy();
        upstream.destroy();
      });
  });
  const own = () => `http://localhost:${server.address().port}`;

  /** @returns {[number, string] | undefined} status and reason for whatever is not a plain address of this origin, asked for by its own page or by a person */
  function refusalOf({ url, method, headers }) {
    if (!/^\/(?!\/)[^\\#]*$/.test(url)) return [400, 'No plain path'];
    const { host, origin, 'sec-fetch-site': site = 'none' } = headers;
    const names = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${server.address().port}`);
    if (!names.includes(host)) return [421, 'Another host'];
    if (origin !== undefined && !names.includes(origin.replace('http://', ''))) return [403, 'Another origin'];
    // A link that was followed to it is a page of its own; a call is not.
    const isVisit = method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && !url.startsWith('/api/');
    return isVisit || ['none', 'same-origin'].includes(site) ? undefined : [403, 'Another site'];
  }

  async function answer(request, response) {
    const [pathname] = request.url.split('?', 1);
    if (pathname.startsWith(remote.prefix)) return send(await ask(new URL(remote.url), request), response);
    if (pathname === BAR) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' });
      return response.end(await readFile(join(import.meta.dirname, 'bar.mjs')));
    }
    const patch = { '/': patchPage, '/index.html': patchPage, '/remotes.json': withOverride }[pathname];
    const from = await ask(shell, request, patch && { 'accept-encoding': 'identity' });
    if (!patch || from.statusCode !== 200 || request.method !== 'GET') return send(from, response);
    let text = '';
    for await (const chunk of from.setEncoding('utf8')) text += chunk;
    const body = Buffer.from(patch(text));
    const { 'transfer-encoding': _chunked, etag: _etag, ...headers } = headersOf(from);
    response.writeHead(200, { ...headers, 'content-length': String(body.length) });
    response.end(body);
  }

  /** Host and path apart: nothing in a path names another host. @param {URL} target @returns {Promise<http.IncomingMessage>} */
  function ask(target, request, more = {}) {
    const headers = { ...request.headers, host: target.host, ...more };
    if (target === shell) {
      headers[OVERRIDE_HEADER] = remote.name;
      // Writes are for the shell's own origin, and to the shell this one is it.
      for (const name of ['origin', 'referer'])
        if (headers[name]) headers[name] = headers[name].replace(own(), shell.origin);
      if (token && request.url.startsWith('/api/')) headers.authorization = `Bearer ${token}`;
    }
    const { request: begin } = target.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const upstream = begin(target, { path: request.url, method: request.method, headers }, resolve);
      upstream.once('error', reject);
      request.once('close', () => request.complete || upstream.destroy());
      request.pipe(upstream);
    });
  }

  function send(from, response) {
    response.writeHead(from.statusCode, headersOf(from));
    response.once('close', () => from.destroy());
    from.pipe(response);
  }

  function headersOf({ headers }) {
    const { 'strict-transport-security': _https, ...kept } = headers;
    // The session is ours to send, so the browser has no cookie of it: without this one its page would ask for nothing.
    if (token) kept['set-cookie'] = [...(kept['set-cookie'] ?? []), 'cord-signed-in=1; Path=/; SameSite=Lax'];
    if (kept.location?.startsWith(shell.origin)) kept.location = kept.location.replace(shell.origin, own());
    const policy = kept['content-security-policy'];
    // The module's server says by a socket when its code has changed.
    if (policy)
      kept['content-security-policy'] = policy.replace(/connect-src [^;]*/, `$& ${own().replace('http', 'ws')}`);
    return kept;
  }

  function patchPage(html) {
    const bar = `<script type="module" src="${BAR}" data-module="${remote.name}" data-shell="${shell.origin}" data-changes="${remote.prefix}hot"></script>`;
    return html
      .replace(REGISTRY_IN_PAGE, (_, open, data, close) => {
        return `${open}${withOverride(data).replaceAll('<', '\\u003c')}${close}`;
      })
      .replace('</head>', () => `${bar}</head>`);
  }

  function withOverride(text) {
    const registry = JSON.parse(text);
    const { name, url: _url, prefix: _prefix, ...worked } = remote;
    return JSON.stringify({ ...registry, modules: { ...registry.modules, [name]: { version: 'dev', ...worked } } });
  }

  return server;
}
