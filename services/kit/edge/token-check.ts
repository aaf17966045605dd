import pLimit from 'p-limit';
import { SPENT_TOKENS_WAITING_MAX } from '../bounds.js';
import type { SessionUser } from '../caller.js';
import { Problem } from '../problem.js';
import type { RateLimits } from '../rate-limit.js';
import type { SessionCheck } from './session-check.js';

interface TokenCheckOptions {
  session: Pick<SessionCheck, 'verify' | 'verifyKnown'>;
  rateLimits: Pick<RateLimits, 'isSpent' | 'take'>;
  /** Maximum waiting tokens; further ones are not checked. */
  waitingMax?: number | undefined;
}

/** The token's user; null for an invalid token, then with the wait in s once its address's budget is spent. */
interface Checked {
  user: SessionUser | null;
  waitSeconds: number | null;
}

/**
 * Checks tokens. An invalid one counts against its address's budget. Once that is spent, sessions seen before still pass, and unknown
 * tokens' signatures are checked one at a time. A client that sends bad tokens costs at most one check at a time, and others behind the
 * same NAT still get in.
 */
export function tokenCheck({ session, rateLimits, waitingMax = SPENT_TOKENS_WAITING_MAX }: TokenCheckOptions) {
  const limit = pLimit(1);
  let waiting = 0;

  const inTurn = async (token: string): Promise<SessionUser | null> => {
    if (waiting >= waitingMax) return null;
    waiting += 1;
    try {
      return await limit(() => session.verify(token));
    } finally {
      waiting -= 1;
    }
  };

  return async (token: string, address: string): Promise<Checked> => {
    const caller = { address };
    const isSpent = await rateLimits.isSpent('badToken', caller, 'session');
    const user = isSpent ? (session.verifyKnown(token) ?? (await inTurn(token))) : await session.verify(token);
    if (user) return { user, waitSeconds: null };
    try {
      await rateLimits.take('badToken', caller, 'session');
      return { user: null, waitSeconds: null };
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      return { user: null, waitSeconds: Number(err.headers['Retry-After'] ?? 1) };
    }
  };
}
