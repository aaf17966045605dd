import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { Nats } from '../nats.js';
import { type SessionStateWriter, sessionStateWriter } from '../session-state.js';
import { publicJwk, signSession } from '../session-token.js';

/** Stands in for auth in tests of other services: real keys, real buckets. */
export interface Signer {
  /** A session token of any user. */
  sign(userId: string, options: SignOptions): Promise<string>;
  /** Keys, revocations and roles, as auth writes them. */
  state: SessionStateWriter;
  kid: string;
}

export interface SignOptions {
  nowMs: number;
  sessionId?: string;
  lifetimeMs?: number;
}

/** Makes a key, publishes its public half, and signs with it. */
export async function createSigner(nats: Nats): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const kid = randomBytes(8).toString('hex');
  const state = await sessionStateWriter(nats);
  await state.putKey(publicJwk.parse({ ...(await exportJWK(publicKey)), kid }));
  return {
    kid,
    state,
    sign: (userId, { sessionId = randomId(), ...rest }) => signSession(privateKey, kid, { userId, sessionId, ...rest }),
  };
}

/** 32 lower-case hex characters: a user or session id. */
export function randomId(): string {
  return randomBytes(16).toString('hex');
}
