import { SERVICES } from '@cord/contracts/endpoint';
import { SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { CALLER_LIFETIME_MS, CALLER_TOLERANCE_MS } from './bounds.js';
import { type Caller, callerReader, callerSigner, signCaller } from './caller.js';
import { callerKeyOf } from './caller-key.js';
import { list, mine } from './test/http-endpoints.js';
import { startHttpFixture } from './test/http-fixture.js';
import { randomId, signTestCaller } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const GATEWAY_KEY = 'a gateway key of this test alone, and long enough';
const keyOf = (service: (typeof SERVICES)[number]) => callerKeyOf(GATEWAY_KEY, service);
const anonymous: Caller = { user: null, by: null, isStale: false, unchecked: null };
const signedIn = (): Caller => ({
  user: {
    id: randomId(),
    sessionId: randomId(),
    roles: ['admin'],
    isAdmin: true,
    confirmsFromMs: 1_789_000_000_123,
    keyId: 'k',
    issuedAtMs: 1_790_000_000_123,
    expiresAtMs: 1_790_600_000_123,
  },
  by: 'cookie',
  isStale: true,
  unchecked: null,
});

describe('the caller token of the gateway', () => {
  const sign = callerSigner(GATEWAY_KEY);

  it('is read by its service as it was signed, with the times of sign-in and role to the ms', async () => {
    const read = callerReader('tasks', [keyOf('tasks')]);
    for (const caller of [anonymous, signedIn(), { ...anonymous, unchecked: { status: 429, seconds: 7 } } as const])
      expect(await read(await sign('tasks', caller))).toEqual(caller);
  });

  it('is rejected by every other service, whatever key it has', async () => {
    const token = await sign('tasks', signedIn());
    for (const other of SERVICES.filter((name) => name !== 'tasks')) {
      expect(await callerReader(other, [keyOf(other)])(token), other).toBeNull();
      expect(await callerReader(other, [keyOf('tasks')])(token), other).toBeNull();
      // The holder of one service's key cannot make a token for another.
      const forged = await signCaller(signedIn(), other, keyOf('tasks'), Date.now() + 1_000);
      expect(await callerReader(other, [keyOf(other)])(forged), other).toBeNull();
    }
  });

  it('is valid for a minute, even from the cache', async () => {
    const token = await sign('tasks', anonymous);
    const [read, later] = [callerReader('tasks', [keyOf('tasks')]), callerReader('tasks', [keyOf('tasks')])];
    expect(await read(token)).toEqual(anonymous);
    vi.useFakeTimers({ now: Date.now() + CALLER_LIFETIME_MS + CALLER_TOLERANCE_MS + 1_000, toFake: ['Date'] });
    try {
      expect([await read(token), await later(token)]).toEqual([null, null]);
      // The signer makes another one well before.
      expect(await read(await sign('tasks', anonymous))).toEqual(anonymous);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is accepted under the former key during a key rotation', async () => {
    const token = await sign('tasks', anonymous);
    const renewed = 'a newer key of this service, which is long enough';
    expect(await callerReader('tasks', [renewed, keyOf('tasks')])(token)).toEqual(anonymous);
    expect(await callerReader('tasks', [renewed])(token)).toBeNull();
  });

  it('is rejected when anything about it is wrong', async () => {
    const read = callerReader('tasks', [keyOf('tasks')]);
    const key = new TextEncoder().encode(keyOf('tasks'));
    const good = await sign('tasks', signedIn());
    const [head = '', claims = '', signature = ''] = good.split('.');
    const made = (typ: string, iss: string) =>
      new SignJWT({ sub: randomId() }).setProtectedHeader({ alg: 'HS256', typ }).setIssuer(iss).setAudience('tasks');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'cord-caller+jwt' })).toString('base64url');
    for (const token of [
      '',
      'a.b.c',
      `${head}.${claims}.`,
      `${none}.${claims}.`,
      `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      await made('JWT', 'cord-gateway').setExpirationTime('1m').sign(key),
      await made('cord-caller+jwt', 'cord-auth').setExpirationTime('1m').sign(key),
      await made('cord-caller+jwt', 'cord-gateway').sign(key),
    ])
      expect(await read(token), token.slice(0, 40)).toBeNull();
  });
});

describe('a service', () => {
  const fixture = forAllTests(() => startHttpFixture());

  it('refuses every call without a caller token with 403: anonymous, with a session or with a cookie', async () => {
    const userId = randomId();
    const session = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    const get = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`${fixture.direct}/api${path}`, { headers });
      return [answer.status, ((await answer.json()) as { type?: string }).type];
    };
    const refused = [403, 'not-through-gateway'];
    for (const headers of [{}, { authorization: `Bearer ${session}` }, { cookie: `cord=${session}` }])
      for (const path of [list.path, mine.path.replace(':id', userId)])
        expect(await get(path, headers as Record<string, string>)).toEqual(refused);
    expect((await get(list.path, { authorization: `Bearer ${await signTestCaller()}` }))[0]).toBe(200);
  });
});
