import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenBoth } from '@cord/kit/http/listen';
import { createLogger, type Log } from '@cord/kit/log';
import { serveHttp } from '@cord/kit/testing/http-server';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { TEST_GATEWAY_KEY } from '@cord/kit/testing/signer';
import { onTestFinished, vi } from 'vitest';
import type { NameOptions } from '../api/names.js';
import { createGateway } from '../app.js';
import type { GatewayConfig } from '../config.js';
import { FRONT } from '../front.js';
import { gatewayMetrics } from '../metrics.js';

const INDEX = `<!doctype html><html lang="en"><head><meta name="theme-color" content="#0a100e" data-scheme="dark" media="(prefers-color-scheme: dark)"><meta name="theme-color" content="#f2f5f1" data-scheme="light" media="(prefers-color-scheme: light)"><meta property="og:image" content="__PUBLIC_ORIGIN__/share.png"><meta property="csp-nonce" nonce="__CSP_NONCE__"><!-- registry --><script defer nonce="__CSP_NONCE__" src="/assets/main.1.js"></script><!-- for:landing <link rel="preload" href="/assets/landing.js"> --><!-- for:signed-in <link rel="preload" href="/assets/signed-in.js"> --></head><body>${'A page of some size. '.repeat(100)}</body>`;

/** Files of the one module. */
export const MODULE = { 'mf-manifest.json': '{"name":"mfe_tasks"}', 'page.2.js': 'page', 'page.2.js.map': '{}' };

/** A call as received by an upstream. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Starts a service that responds with what it received, unless set otherwise; `readyz` handles probes, on the next port. */
export async function upstream(
  answer?: RequestListener,
  replica?: number,
  readyz: RequestListener = (_, response) => response.end(JSON.stringify({ status: 'ok', replica })),
): Promise<{ url: string; seen: Seen[]; close(): Promise<void> }> {
  const seen: Seen[] = [];
  const server = createServer(async (incoming, response) => {
    if (answer) return answer(incoming, response);
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const call = { method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body };
    seen.push(call);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(call));
  });
  const operations = createServer((incoming, response) => {
    if (incoming.url === '/readyz' || incoming.url === '/healthz') return readyz(incoming, response);
    return answer ? answer(incoming, response) : response.writeHead(404).end();
  });
  const url = await listenBoth(server, operations, 0, '127.0.0.1');
  const close = async () => void (await Promise.all([server, operations].map(shut)));
  onTestFinished(close);
  return { url, seen, close };
}

/** Returns the file of a journal line by its number. */
export const lineFile = (seq: number, name = 'mfe_tasks') => `.lines/${name}/${String(seq).padStart(10, '0')}.json`;

/** Returns the checksums of files as in a line: sha256 by path. */
export const recorded = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([file, text]) => [file, createHash('sha256').update(text).digest('hex')]),
  );

/** Returns a line that publishes a version with these files. */
export const line = (version: string, files: Record<string, string> = {}) =>
  JSON.stringify({
    files: recorded(files),
    version,
    sdk: '^1.0.0',
    ui: '^1.0.0',
    parts: [],
    action: 'publish',
    when: '2026-01-01T00:00:00.000Z',
    who: 'a',
    by: 'person',
  });

/** Starts a gateway with a small shell and one module, until the test ends. */
export async function origin(...given: Parameters<typeof startOrigin>) {
  const site = await startOrigin(...given);
  onTestFinished(site.close);
  return site;
}

/** Like `origin`, until it is closed. */
export async function startOrigin(
  given: Partial<GatewayConfig> = {},
  options: { names?: NameOptions; log?: Log } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'cord-gateway-'));
  const files: Record<string, string> = {
    'shell/index.html': INDEX,
    'shell/assets/main.1.js': 'plain',
    'shell/assets/main.1.js.map': '{}',
    'shell/assets/main.1.js.br': 'as-brotli',
    'shell/assets/main.1.js.gz': 'as-gzip',
    'shell/favicon.svg': '<svg/>',
    'shell/sw.js': 'worker',
    'shell/manifest.webmanifest': '{}',
    'shell/offline.html': '<style>p{color:red}</style><p>offline</p><script>wait()</script>',
    [`store/${lineFile(1)}`]: line('1.0.0-a', MODULE),
    'shell/.build.json': '{"version":"1.0.0-s","sdk":"1.3.0","ui":"1.0.0"}',
    ...Object.fromEntries(Object.entries(MODULE).map(([name, text]) => [`store/mfe_tasks/1.0.0-a/${name}`, text])),
  };
  const write = async (where: string, texts: Record<string, string>) => {
    for (const [name, text] of Object.entries(texts)) {
      await mkdir(join(where, name, '..'), { recursive: true });
      await writeFile(join(where, name), text);
    }
  };
  await write(folder, files);
  const { server, port, url, stop } = await serveHttp(undefined, FRONT);
  const config: GatewayConfig = {
    host: '127.0.0.1',
    port,
    metricsPorts: [0],
    metricsHost: '127.0.0.1',
    drainMs: 0,
    publicOrigin: new URL(`http://localhost:${port}`),
    upstreams: {},
    upstreamsFile: undefined,
    shellDir: join(folder, 'shell'),
    moduleStore: join(folder, 'store'),
    walletReflector: undefined,
    nats: undefined,
    gatewayKey: TEST_GATEWAY_KEY,
    rateLimitScale: 0,
    dataDir: folder,
    trustedProxies: () => false,
    trustsProxies: false,
    logLevel: 'silent',
    local: false,
    hotReload: undefined,
    ...given,
  };
  const { log = createLogger('gateway', 'silent'), ...others } = options;
  const gateway = await createGateway(config, log, others);
  if (config.nats) await vi.waitUntil(() => gateway.callers.ready(), { timeout: PATIENCE_MS });
  const metrics = gatewayMetrics(gateway);
  server.on('request', gateway.listener(metrics.measure));
  return {
    port,
    publicOrigin: config.publicOrigin.origin,
    folder,
    /** Writes texts into a folder. */
    write,
    /** Probes the upstreams, as happens once a second. */
    probed: () => call(url, config.publicOrigin.host, '/healthz', {}),
    call: (path: string, options: Call = {}) => call(url, config.publicOrigin.host, path, options),
    /** Returns the gateway's /metrics. */
    figures: () => metrics.registry.metrics(),
    /** Ends long-lived work, like a stopping gateway. */
    stop: () => gateway.close(),
    close: async () => {
      gateway.close();
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Call {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  json(): ReturnType<typeof JSON.parse>;
}

/** Makes one call with any Host header and, unlike fetch, without additional headers. */
export function call(
  url: string,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body }: Call,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { path, method, headers: { host, ...headers } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      const json = () => JSON.parse(text);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
