import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ServiceName } from '@cord/contracts/endpoint';
import { addressKey } from '../address.js';
import type { Caller, callerSigner } from '../caller.js';
import { credentialsOf, isWrite, requireSameOrigin, sessionCookieName, withoutCookie } from '../http/credentials.js';
import type { RateLimits } from '../rate-limit.js';
import type { SessionCheck } from './session-check.js';
import { tokenCheck } from './token-check.js';

/** Wait before an unchecked caller may retry, s. */
const UNKNOWN_RETRY_SECONDS = 2;

interface EdgeOptions {
  session: SessionCheck;
  rateLimits: Pick<RateLimits, 'isSpent' | 'take'>;
  /** Origin of our own pages. */
  publicOrigin: string;
  sign: ReturnType<typeof callerSigner>;
  /** Maximum unknown tokens, from addresses over budget, that wait for their check (`tokenCheck`). */
  tokensWaitingMax?: number | undefined;
}

/** The only place where sessions are checked: it turns external credentials into a caller that services trust. */
export function createEdge({ session, rateLimits, publicOrigin, sign, tokensWaitingMax }: EdgeOptions) {
  const cookieName = sessionCookieName(publicOrigin);
  const check = tokenCheck({ session, rateLimits, waitingMax: tokensWaitingMax });
  return {
    /**
     * Returns the caller, from the cookie or the bearer.
     * @param address of the client
     * @throws Problem 403 for a write by cookie that does not come from our own pages
     */
    async callerOf(request: Pick<IncomingMessage, 'method' | 'headers'>, address: string): Promise<Caller> {
      const credentials = credentialsOf(request, cookieName);
      const isStale = session.isStale();
      const anonymous = { user: null, by: null, isStale, unchecked: null };
      if (!credentials) return anonymous;
      if (!session.ready()) return { ...anonymous, unchecked: { status: 503, seconds: UNKNOWN_RETRY_SECONDS } };
      const { user, waitSeconds } = await check(credentials.token, addressKey(address));
      if (!user)
        return waitSeconds === null ? anonymous : { ...anonymous, unchecked: { status: 429, seconds: waitSeconds } };
      const { by } = credentials;
      if (isWrite(request.method ?? '') && by === 'cookie') requireSameOrigin(request, publicOrigin);
      return { user, by, isStale, unchecked: null };
    },
    /** Returns the headers of a call for one service: its token replaces cookies and session. Auth keeps the cookies of a sign-in in progress. */
    async headersFor(
      service: ServiceName,
      caller: Caller,
      { authorization: _ours, cookie, ...headers }: IncomingHttpHeaders,
    ): Promise<IncomingHttpHeaders> {
      const others = service === 'auth' ? withoutCookie(cookie, cookieName) : undefined;
      const token = await sign(service, caller);
      return { ...headers, ...(others ? { cookie: others } : {}), authorization: `Bearer ${token}` };
    },
  };
}
