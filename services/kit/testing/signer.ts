import { randomBytes } from 'node:crypto';
import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { SESSION_MS } from '@cord/contracts/rules/timings';
import { SWITCHES_KEY, type SwitchName, type SwitchSpan } from '@cord/contracts/switches';
import { exportJWK, generateKeyPair } from 'jose';
import { type Caller, signCaller } from '../caller.js';
import { callerKeyOf } from '../caller-key.js';
import { type RightsDesk, serveRights } from '../edge/rights-source.js';
import { type Role, roleKey, sessionRevocationKey, signingKeyKey, userRevocationKey } from '../edge/session-state.js';
import { publicJwk, SESSION_ISSUER, signSession } from '../edge/session-token.js';
import type { Nats } from '../nats.js';

/** GATEWAY_KEY of tests. */
export const TEST_GATEWAY_KEY = 'the gateway key of these tests and long enough';

/** Stands in for the gateway in tests of services: signs callers as the gateway does. */
export type Signer = Awaited<ReturnType<typeof createSigner>>;

/** Stands in for auth in tests of the gateway: real keys and sessions, announced and served as auth does. */
export interface SessionSigner extends Signer {
  kid: string;
}

/** Auth's rights, in memory. Every change resolves once it is announced. */
interface TestRights {
  removeKey(kid: string): Promise<void>;
  revokeSession(sessionId: string, nowMs: number): Promise<void>;
  /** Ends every session of the user issued before `nowMs`. */
  revokeUser(userId: string, nowMs: number): Promise<void>;
  forgetUser(userId: string): Promise<void>;
  /** @param confirmsFromMs as in SessionUser; default 0 */
  setRoles(userId: string, roles: Role[], confirmsFromMs?: number): Promise<void>;
  /** Returns a new user who is an operator in each token signed from now on. */
  newOperator(confirmsFromMs?: number): Promise<string>;
  /** Sets which switches are off, and when they were; default no spans. */
  setSwitches(off: SwitchName[], spans?: SwitchSpan[]): Promise<void>;
  /** Auth goes away: nothing is announced or served any more. */
  stop(): Promise<void>;
}

export interface SignOptions {
  /** When the user signed in. */
  nowMs: number;
  sessionId?: string;
  lifetimeMs?: number;
}

const DAY_MS = 86_400_000;
const TEST_KEY_ID = 'test';
/** Key of the tokens that tests sign; services under test accept it beside the gateway's. */
const TEST_SIGNER_KEY = 'the key of the callers of these tests and long enough';

/** CALLER_KEY of a service under test. */
export const testCallerKey = (service: ServiceName) => `${callerKeyOf(TEST_GATEWAY_KEY, service)},${TEST_SIGNER_KEY}`;

/** Signs calls. Signers on one connection share roles and switches. */
export async function createSigner(nats: Nats) {
  const { hold, state, rolesOf } = testRightsOf(nats);
  // A check with auth whether such a session is valid, as pushes do, finds its key in use.
  hold(signingKeyKey(TEST_KEY_ID), {});
  return {
    /** Roles and switches. */
    state,
    /** Returns a user's token, valid for a day, with the user's current roles in `state`. */
    async sign(userId: string, { nowMs, sessionId = randomId(), lifetimeMs = SESSION_MS }: SignOptions) {
      const { roles, confirmsFromMs } = rolesOf(userId);
      const since = confirmsFromMs === undefined ? {} : { confirmsFromMs };
      const session = { sessionId, keyId: TEST_KEY_ID, issuedAtMs: nowMs, expiresAtMs: nowMs + lifetimeMs };
      return signTestCaller({
        user: { id: userId, roles, isAdmin: roles.includes('admin'), ...since, ...session },
        by: 'bearer',
      });
    },
  };
}

/** Returns the token of a caller; default: a guest. */
export function signTestCaller(caller: Partial<Caller> = {}): Promise<string> {
  const anonymous: Caller = { user: null, by: null, isStale: false, unchecked: null };
  return signCaller({ ...anonymous, ...caller }, [...SERVICES], TEST_SIGNER_KEY, Date.now() + DAY_MS);
}

/**
 * Creates a key, publishes its public half, and signs sessions with it. Signers on one connection share one auth.
 * @param announced false: the key is only served on request
 */
export async function createSessionSigner(nats: Nats, { announced = true } = {}): Promise<SessionSigner> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const kid = randomBytes(8).toString('hex');
  const { put, hold, state } = testRightsOf(nats);
  const jwk = publicJwk.parse({ ...(await exportJWK(publicKey)), kid, iss: SESSION_ISSUER });
  await (announced ? put : hold)(signingKeyKey(kid), jwk);
  return {
    kid,
    state,
    sign: (userId, { sessionId = randomId(), ...rest }) => signSession(privateKey, kid, { userId, sessionId, ...rest }),
  };
}

interface TestRoles {
  roles: Role[];
  confirmsFromMs?: number;
}

interface Served {
  put(key: string, value: unknown): Promise<void>;
  /** Like `put`, without an announcement. */
  hold(key: string, value: unknown): void;
  state: TestRights;
  rolesOf(userId: string): TestRoles;
}
const served = new WeakMap<Nats, Served>();

function testRightsOf(nats: Nats): Served {
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
    await desk.publish([key]);
  };
  const state: TestRights = {
    removeKey: (kid) => put(signingKeyKey(kid), null),
    revokeSession: (sessionId, nowMs) => put(sessionRevocationKey(sessionId), { notBeforeMs: nowMs }),
    revokeUser: (userId, nowMs) => put(userRevocationKey(userId), { notBeforeMs: nowMs }),
    forgetUser: (userId) => put(userRevocationKey(userId), null),
    setRoles: (userId, roles, confirmsFromMs = 0) =>
      put(roleKey(userId), { roles, confirmsFromMs } satisfies TestRoles),
    async newOperator(confirmsFromMs) {
      const userId = randomId();
      await state.setRoles(userId, ['admin'], confirmsFromMs);
      return userId;
    },
    setSwitches: (off, spans = []) => put(SWITCHES_KEY, { off, spans }),
    async stop() {
      served.delete(nats);
      await desk.stop();
    },
  };
  const rolesOf = (userId: string) => (values.get(roleKey(userId)) as TestRoles | undefined) ?? { roles: [] };
  const made = { put, hold, state, rolesOf };
  served.set(nats, made);
  return made;
}

/** 32 lower-case hex characters: a user or session id. */
export function randomId(): string {
  return randomBytes(16).toString('hex');
}
