import { GATEWAY_USER, RIGHTS_USER } from '@cord/contracts/events/permissions';
import { createLogger } from '@cord/kit/log';
import { connectNats, type Nats } from '@cord/kit/nats';
import { startAccountsNats } from '@cord/kit/testing/accounts-nats';
import { createSessionSigner, type SessionSigner } from '@cord/kit/testing/signer';
import type { GatewayConfig } from '../config.js';

/** Simulates auth's side of sign-ins on NATS, as in a running system. */
export interface Sessions extends SessionSigner {
  /** Config that a gateway needs to check them. */
  given: Pick<GatewayConfig, 'nats'>;
  /** Auth's connection. */
  connection: Nats;
  /** Returns the token of a new session. */
  tokenOf(userId: string, sessionId?: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startSessions(): Promise<Sessions> {
  const server = await startAccountsNats();
  const rights = await connectNats(
    { NATS_URL: server.urlFor(RIGHTS_USER) },
    RIGHTS_USER,
    createLogger('test', 'silent'),
  );
  const signer = await createSessionSigner(rights);
  return {
    ...signer,
    connection: rights,
    given: { nats: { NATS_URL: server.urlFor(GATEWAY_USER) } },
    tokenOf: (userId, sessionId) => signer.sign(userId, { nowMs: Date.now(), ...(sessionId ? { sessionId } : {}) }),
    async stop() {
      await rights.drain();
      await server.stop();
    },
  };
}
