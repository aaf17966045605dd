import { randomBytes } from 'node:crypto';
import { SWITCHES_KEY, type SwitchName, type SwitchSpan } from '@cord/contracts/switches';
import { exportJWK, generateKeyPair } from 'jose';
import type { Nats } from '../nats.js';
import { type RightsDesk, serveRights } from '../rights-source.js';
import { type Role, roleKey, sessionRevocationKey, signingKeyKey, userRevocationKey } from '../session-state.js';
import { publicJwk, SESSION_ISSUER, signSession } from '../session-token.js';

/** Stands in for auth in tests of other services: real keys, told and answered as auth does. */
export interface Signer {
  /** A session token of any user. */
  sign(userId: string, options: SignOptions): Promise<string>;
  /** Keys, revocations and roles, as auth tells them. */
  state: TestRights;
  kid: string;
}

/** What auth knows of rights, from memory. Every change resolves when it is told. */
export interface TestRights {
  removeKey(kid: string): Promise<void>;
  revokeSession(sessionId: string, nowMs: number): Promise<void>;
  /** Ends every session of the user that was issued before `nowMs`. */
  revokeUser(userId: string, nowMs: number): Promise<void>;
  forgetUser(userId: string): Promise<void>;
  setRoles(userId: string, roles: Role[]): Promise<void>;
  /** Which switches are off, and when they were; no spans unless given. */
  setSwitches(off: SwitchName[], spans?: SwitchSpan[]): Promise<void>;
  /** Auth goes away: nothing is told or answered any more. */
  stop(): Promise<void>;
}

export interface SignOptions {
  nowMs: number;
  sessionId?: string;
  lifetimeMs?: number;
}

/**
 * Makes a key, publishes its public half, and signs with it. Signers on one connection are one auth.
 * @param told false: nobody hears of the key, only who asks for it learns it
 */
export async function createSigner(nats: Nats, { told = true } = {}): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const kid = randomBytes(8).toString('hex');
  const { put, hold, state } = rightsOver(nats);
  const jwk = publicJwk.parse({ ...(await exportJWK(publicKey)), kid, iss: SESSION_ISSUER });
  await (told ? put : hold)(signingKeyKey(kid), jwk);
  return {
    kid,
    state,
    sign: (userId, { sessionId = randomId(), ...rest }) => signSession(privateKey, kid, { userId, sessionId, ...rest }),
  };
}

interface Served {
  put(key: string, value: unknown): Promise<void>;
  /** As `put`, and tells nobody. */
  hold(key: string, value: unknown): void;
  state: TestRights;
}
const served = new WeakMap<Nats, Served>();

function rightsOver(nats: Nats): Served {
  const known = served.get(nats);
  if (known) return known;
  const values = new Map<string, unknown>();
  const entryOf = (key: string) => ({ key, value: values.get(key) ?? null });
  const desk: RightsDesk = serveRights(nats, {
    values: async (keys) => keys.map(entryOf),
    page: async () => ({ entries: [...values.keys()].map(entryOf), next: null }),
  });
  const hold = (key: string, value: unknown): void => {
    if (value === null) values.delete(key);
    else values.set(key, value);
  };
  const put = async (key: string, value: unknown): Promise<void> => {
    hold(key, value);
    await desk.tell([key]);
  };
  const state: TestRights = {
    removeKey: (kid) => put(signingKeyKey(kid), null),
    revokeSession: (sessionId, nowMs) => put(sessionRevocationKey(sessionId), { notBeforeMs: nowMs }),
    revokeUser: (userId, nowMs) => put(userRevocationKey(userId), { notBeforeMs: nowMs }),
    forgetUser: (userId) => put(userRevocationKey(userId), null),
    setRoles: (userId, roles) => put(roleKey(userId), { roles }),
    setSwitches: (off, spans = []) => put(SWITCHES_KEY, { off, spans }),
    async stop() {
      served.delete(nats);
      await desk.stop();
    },
  };
  const made = { put, hold, state };
  served.set(nats, made);
  return made;
}

/** 32 lower-case hex characters: a user or session id. */
export function randomId(): string {
  return randomBytes(16).toString('hex');
}
