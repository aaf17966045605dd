import { rightsRpc } from '@cord/contracts/rpc/rights';
import type { Clock } from '@cord/kit/clock';
import { revocation, sessionRevocationKey, signingKeyKey, userRevocationKey } from '@cord/kit/edge/session-state';
import type { Nats } from '@cord/kit/nats';
import type { AllowedBy } from './subscriptions.js';

/** Checks with auth the sign-in that is stored with a device. */
export type Sessions = ReturnType<typeof sessionLookup>;

export function sessionLookup(nats: Pick<Nats, 'request'>, clock: Pick<Clock, 'now'>) {
  return {
    /**
     * Returns whether it is still valid: not expired, not ended, its key in use. It calls auth each time: pushes are few, and no copy can be stale.
     * @throws Problem 503 while auth does not respond
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
