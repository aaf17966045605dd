import { rightsRpc } from '@cord/contracts/rpc/rights';
import type { Clock } from '@cord/kit/clock';
import { revocation, sessionRevocationKey, signingKeyKey, userRevocationKey } from '@cord/kit/edge/session-state';
import type { Nats } from '@cord/kit/nats';
import type { AllowedBy } from './subscriptions.js';

/** What auth answers about a sign-in that is kept with a device. */
export type Sessions = ReturnType<typeof sessionLookup>;

export function sessionLookup(nats: Pick<Nats, 'request'>, clock: Pick<Clock, 'now'>) {
  return {
    /**
     * Whether it still holds: not expired, not ended, its key in use. Auth is called each time: pushes are few, and no copy of it can be behind.
     * @throws Problem 503 while auth does not answer
     */
    async holds(userId: string, { sessionId, keyId, issuedAtMs, expiresAtMs }: AllowedBy) {
      if (expiresAtMs <= clock.now()) return false;
      const keys = [signingKeyKey(keyId), sessionRevocationKey(sessionId), userRevocationKey(userId)];
      const { entries } = await nats.request(rightsRpc, { keys });
      const [key, ended, endedBefore] = keys.map((name) => entries.find((entry) => entry.key === name)?.value ?? null);
      if (key === null || ended !== null) return false;
      return endedBefore === null || issuedAtMs >= revocation.parse(endedBefore).notBeforeMs;
    },
  };
}
