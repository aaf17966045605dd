import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../log.js';
import {
  createSessionSigner,
  createTestClock,
  randomId,
  type SessionSigner,
  startTestBackend,
} from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import { createSessionCheck, type SessionCheck } from './session-check.js';
import { signSession } from './session-token.js';

const log = createLogger('test', 'silent');
const clock = createTestClock(1_790_000_000_123);
const backend = forAllTests(() => startTestBackend({ store: false, own: true }));
let signer: SessionSigner;
let session: SessionCheck;

beforeAll(async () => {
  signer = await createSessionSigner(backend.nats);
  session = createSessionCheck({ clock, log });
  await session.start(backend.nats);
});
afterAll(() => session.stop());

const within = { timeout: 1_000, interval: 10 };

describe('a session', () => {
  it('is valid for its user until it expires by the kit clock', async () => {
    const userId = randomId();
    const sessionId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now(), sessionId, lifetimeMs: 60_000 });
    expect(await session.verify(token)).toMatchObject({
      id: userId,
      sessionId,
      isAdmin: false,
      issuedAtMs: clock.now(),
    });
    await clock.advance(59_999);
    expect(await session.verify(token)).not.toBeNull();
    await clock.advance(1);
    expect(await session.verify(token)).toBeNull();
  });

  it('has the roles of its user with their confirmation time, and no role without that time', async () => {
    const userId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now() });
    await signer.state.setRoles(userId, ['admin'], 5);
    await expect.poll(() => session.verify(token), within).toMatchObject({ isAdmin: true, confirmsFromMs: 5 });
    await signer.state.setRoles(userId, ['admin'], null as never);
    await expect.poll(() => session.verify(token), within).toMatchObject({ isAdmin: false });
  });

  it('ends within a second of its revocation, while other sessions of the user stay valid', async () => {
    const userId = randomId();
    const sessionId = randomId();
    const ended = await signer.sign(userId, { nowMs: clock.now(), sessionId });
    const other = await signer.sign(userId, { nowMs: clock.now() });
    expect(await session.verify(ended)).not.toBeNull();
    await signer.state.revokeSession(sessionId, clock.now());
    await expect.poll(() => session.verify(ended), within).toBeNull();
    expect(await session.verify(other)).not.toBeNull();
  });

  it('issued before a revocation of the user ends, and one issued right after it is valid', async () => {
    const userId = randomId();
    const before = await signer.sign(userId, { nowMs: clock.now() });
    await clock.advance(1);
    await signer.state.revokeUser(userId, clock.now());
    const after = await signer.sign(userId, { nowMs: clock.now() });
    await expect.poll(() => session.verify(before), within).toBeNull();
    expect(await session.verify(after)).not.toBeNull();
    await signer.state.forgetUser(userId);
    await expect.poll(() => session.verify(before), within).not.toBeNull();
  });

  it('is valid for concurrent calls with a key that is newer than the copy', async () => {
    const newer = await createSessionSigner(backend.nats, { announced: false });
    const fresh = createSessionCheck({ clock, log });
    await fresh.start(backend.nats);
    const unannounced = await createSessionSigner(backend.nats, { announced: false });
    const tokens = await Promise.all([1, 2, 3].map(() => unannounced.sign(randomId(), { nowMs: clock.now() })));
    const found = await Promise.all(tokens.map((token) => fresh.verify(token)));
    expect(found.map((user) => user?.keyId)).toEqual(tokens.map(() => unannounced.kid));
    // The key read at its start costs no request.
    expect(await fresh.verify(await newer.sign(randomId(), { nowMs: clock.now() }))).not.toBeNull();
    await fresh.stop();
  });

  it('ends with its key, even when it was verified before', async () => {
    const gone = await createSessionSigner(backend.nats);
    const token = await gone.sign(randomId(), { nowMs: clock.now() });
    await expect.poll(() => session.verify(token), within).not.toBeNull();
    await gone.state.removeKey(gone.kid);
    await expect.poll(() => session.verify(token), within).toBeNull();
  });

  it('is rejected when anything about its token is wrong', async () => {
    const userId = randomId();
    const options = { userId, sessionId: randomId(), nowMs: clock.now() };
    const stranger = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const good = await signer.sign(userId, { nowMs: clock.now() });
    const [head, claims, signature] = good.split('.') as [string, string, string];
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: signer.kid })).toString('base64url');
    const hmac = await new SignJWT({ sub: userId, jti: randomId() })
      .setProtectedHeader({ alg: 'HS256', kid: signer.kid })
      .setIssuedAt()
      .setExpirationTime('7d')
      .sign(new TextEncoder().encode('x'.repeat(32)));
    const wrong = [
      '',
      'x',
      'a.b.c',
      `${head}.${claims}.`,
      `${head}.${claims}.${signature.slice(0, 20)}${signature[20] === 'A' ? 'B' : 'A'}${signature.slice(21)}`,
      `${head}.${Buffer.from('{"sub":"x"}').toString('base64url')}.${signature}`,
      `${none}.${claims}.`,
      hmac,
      'x'.repeat(10_000),
      await signSession(stranger.privateKey, signer.kid, options),
      await signSession(stranger.privateKey, 'unknown-kid', options),
    ];
    for (const token of wrong) expect(await session.verify(token), token.slice(0, 40)).toBeNull();
    expect(await session.verify(good)).not.toBeNull();
  });
});

describe('a session check without NATS', () => {
  it('responds 503 before keys and revocations were read once', async () => {
    const early = createSessionCheck({ clock, log });
    await expect(early.verify('a.b.c')).rejects.toMatchObject({ status: 503 });
    expect(early.isStale()).toBe(true);
  });

  it('keeps verifying, is stale after 30 s, and applies a revocation within a second of a restart', async () => {
    const userId = randomId();
    const sessionId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now(), sessionId });
    expect(await session.verify(token)).not.toBeNull();
    expect(session.isStale()).toBe(false);
    await backend.natsServer?.kill();
    expect(await session.verify(token)).not.toBeNull();
    const later = performance.now() + 30_001;
    const time = vi.spyOn(performance, 'now').mockReturnValue(later);
    expect(session.isStale()).toBe(true);
    time.mockRestore();

    await backend.natsServer?.restart();
    await expect.poll(() => backend.nats.connected()).toBe(true);
    await signer.state.revokeSession(sessionId, clock.now());
    await expect.poll(() => session.verify(token), within).toBeNull();
    await expect.poll(() => session.isStale(), within).toBe(false);
  });
});
