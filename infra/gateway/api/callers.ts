import type { RateClass, ServiceName } from '@cord/contracts/endpoint';
import { type Caller, callerSigner, type SessionUser } from '@cord/kit/caller';
import type { Clock } from '@cord/kit/clock';
import { createEdge } from '@cord/kit/edge/authenticate';
import { createSessionCheck } from '@cord/kit/edge/session-check';
import { clientAddress } from '@cord/kit/http/client-address';
import type { Log } from '@cord/kit/log';
import type { Nats } from '@cord/kit/nats';
import { Problem } from '@cord/kit/problem';
import { createRateLimits } from '@cord/kit/rate-limit';
import type Koa from 'koa';
import type { GatewayConfig } from '../config.js';
import { refuse } from './problem.js';

/** Checks sessions, once for all services. */
export interface Callers {
  /**
   * Identifies the caller, and replaces cookie and session token by the signed caller headers for the service.
   * @returns null when the request was refused and the response is sent
   */
  identify(ctx: Koa.Context, service: ServiceName): Promise<Caller | null>;
  /** Whether an identified session has neither ended nor expired. */
  isStillValid(user: SessionUser): boolean;
  /** Resolves when a service's latest changes of sessions and roles apply here, at the latest after half a second. */
  settle(): Promise<void>;
  /** Whether keys, roles and ended sessions are loaded. */
  ready(): boolean;
  /** Whether writes are allowed: the loaded data is recent enough. */
  admitsWrites(): boolean;
  /** Sets the callback for each token refused unchecked because its address used up its budget. */
  onRefused(run: (rateClass: RateClass) => void): void;
  stop(): Promise<void>;
}

/** @param connected NATS, on which auth publishes keys, roles and ended sessions; no session can be checked before it is connected */
export function openCallers(
  config: Pick<GatewayConfig, 'gatewayKey' | 'publicOrigin' | 'trustedProxies' | 'rateLimitScale'>,
  connected: Promise<Nats | null>,
  clock: Clock,
  log: Log,
): Callers {
  const { gatewayKey, publicOrigin, trustedProxies, rateLimitScale: scale } = config;
  const session = createSessionCheck({ clock, log });
  const started = connected.then((nats) => (nats ? session.start(nats) : undefined));
  let refused: (rateClass: RateClass) => void = () => undefined;
  const edge = createEdge({
    session,
    rateLimits: createRateLimits({ scale, clock, onRefused: (rateClass) => refused(rateClass) }),
    publicOrigin: publicOrigin.origin,
    sign: callerSigner(gatewayKey),
  });
  return {
    async identify(ctx, service) {
      try {
        const caller = await edge.callerOf(ctx.req, clientAddress(ctx.req, trustedProxies));
        ctx.req.headers = await edge.headersFor(service, caller, ctx.req.headers);
        return caller;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        refuse(ctx.res, { status: 403, type: error.type, message: error.message }, ctx.state.requestId as string);
        return null;
      }
    },
    isStillValid: session.isStillValid,
    settle: session.settle,
    ready: session.ready,
    admitsWrites: () => session.ready() && !session.isStale(),
    onRefused(run) {
      refused = run;
    },
    async stop() {
      await started;
      await session.stop();
    },
  };
}
