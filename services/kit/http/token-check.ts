import type { Endpoint } from '@cord/contracts/endpoint';
import type { RateLimits } from '../rate-limit.js';
import type { SessionCheck, SessionUser } from '../session.js';
import { createSlots } from '../slots.js';

interface TokenCheckOptions {
  session: Pick<SessionCheck, 'verify' | 'verifyKnown'>;
  rateLimits: Pick<RateLimits, 'isSpent' | 'take'>;
  /** Tokens that may wait; the next ones are not checked. */
  waitingMax: number;
}

/**
 * The user of a token, or null. A token that does not hold is taken from its address's budget. Once that is spent, sessions that this
 * replica has seen before go on as ever, and the signatures of unknown tokens are checked one at a time: whoever sends bad tokens from
 * an address costs this replica one check after the other at the most, and the others behind the same NAT still get in.
 * @returns a function that throws Problem 429 with Retry-After for a bad token of a spent address; on public calls it returns null
 */
export function tokenCheck({ session, rateLimits, waitingMax }: TokenCheckOptions) {
  const slots = createSlots(1);
  let waiting = 0;

  const inTurn = async (token: string): Promise<SessionUser | null> => {
    if (waiting >= waitingMax) return null;
    waiting += 1;
    try {
      return await slots.run(() => session.verify(token));
    } finally {
      waiting -= 1;
    }
  };

  return async (token: string, address: string, { access }: Pick<Endpoint, 'access'>): Promise<SessionUser | null> => {
    const caller = { address };
    const isSpent = await rateLimits.isSpent('badToken', caller, 'session');
    const user = isSpent ? (session.verifyKnown(token) ?? (await inTurn(token))) : await session.verify(token);
    if (user) return user;
    try {
      await rateLimits.take('badToken', caller, 'session');
    } catch (err) {
      if (access !== 'public') throw err;
    }
    return null;
  };
}
