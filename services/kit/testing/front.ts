import { request } from 'node:http';
import type { ServiceName } from '@cord/contracts/endpoint';
import { HTTP_KEEP_ALIVE_MS } from '../bounds.js';
import { callerSigner } from '../caller.js';
import type { Clock } from '../clock.js';
import { createEdge } from '../edge/authenticate.js';
import { createSessionCheck } from '../edge/session-check.js';
import { clientAddress, trustedProxies } from '../http/client-address.js';
import { createLogger } from '../log.js';
import type { Nats } from '../nats.js';
import { Problem } from '../problem.js';
import { createRateLimits } from '../rate-limit.js';
import { fronts } from './call.js';
import { serveHttp } from './http-server.js';
import { TEST_GATEWAY_KEY } from './signer.js';

export type Front = Awaited<ReturnType<typeof startFront>>;

/** Starts the gateway's session check in front of one service, for tests with session tokens and cookies. */
export async function startFront(options: {
  service: ServiceName;
  /** Returns the service's current URL. */
  target: () => string;
  nats: Nats;
  clock: Clock;
  publicOrigin: string;
  /** Scale of the bad-token limit; 0 disables it. */
  scale?: number;
  tokensWaitingMax?: number;
}) {
  const { service, target, nats, clock, publicOrigin, scale = 0, tokensWaitingMax } = options;
  const session = createSessionCheck({ clock, log: createLogger('test', 'silent') });
  await session.start(nats);
  const edge = createEdge({
    session,
    rateLimits: createRateLimits({ scale, clock }),
    publicOrigin,
    sign: callerSigner(TEST_GATEWAY_KEY),
    tokensWaitingMax,
  });
  const trusted = trustedProxies(['loopback', '10.0.0.0/8']);
  // As a service's own server: a connection closed while the test reuses it would fail its call.
  const server = await serveHttp(
    async (incoming, response) => {
      try {
        // Tests also grant roles without passing the front.
        if (service === 'auth') await session.settle();
        const caller = await edge.callerOf(incoming, clientAddress(incoming, trusted));
        const headers = await edge.headersFor(service, caller, incoming.headers);
        const { hostname, port } = new URL(target());
        const { method = 'GET', url: path } = incoming;
        const sent = request({ hostname, port, path, method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
          response.once('close', () => answer.destroy());
        });
        sent.on('error', () => response.destroy());
        incoming.pipe(sent);
      } catch (err) {
        if (!(err instanceof Problem)) throw err;
        response.writeHead(err.status, { 'content-type': 'application/problem+json', ...err.headers });
        response.end(JSON.stringify({ type: err.type, status: err.status, error: err.message }));
      }
    },
    { keepAliveTimeout: HTTP_KEEP_ALIVE_MS },
  );
  const { url } = server;
  fronts.add(url);
  return {
    url,
    session,
    async close() {
      fronts.delete(url);
      await server.stop();
      await session.stop();
    },
  };
}
