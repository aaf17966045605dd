import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { readSession, signSession } from './session-token.js';

const NOW_MS = 1_790_000_000_123;
const [userId, sessionId] = ['a'.repeat(32), 'b'.repeat(32)];
const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });

/** Something else that the key has signed. */
function signed(claims: Record<string, unknown>, typ = 'JWT'): Promise<string> {
  return new SignJWT({ sub: userId, jti: sessionId, iat: NOW_MS / 1_000, exp: NOW_MS / 1_000 + 60, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'kid', typ })
    .sign(privateKey);
}

const read = (token: string) => readSession(token, publicKey, 'kid');

describe('a session token', () => {
  it('names who signed it and for whom', async () => {
    const token = await signSession(privateKey, 'kid', { userId, sessionId, nowMs: NOW_MS });
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(payload).toMatchObject({ iss: 'cord-auth', aud: 'cord' });
    expect(await read(token)).toMatchObject({ userId, sessionId, issuedAtMs: NOW_MS });
  });

  it('without issuer and audience holds until it expires if an earlier release has issued it, else not at all', async () => {
    expect(await read(await signed({}))).toMatchObject({ userId, expiresAtMs: NOW_MS + 60_000 });
    const iat = Date.UTC(2026, 10, 24) / 1_000;
    const named = { iss: 'cord-auth', aud: 'cord' };
    expect(await read(await signed({ iat: iat - 1 }))).toMatchObject({ userId });
    expect(await read(await signed({ iat, ...named }))).toMatchObject({ userId });
    await expect(read(await signed({ iat }))).rejects.toThrow();
    await expect(read(await signed({ iat, iss: 'cord-auth' }))).rejects.toThrow();
  });

  it('of another kind, issuer or audience does not hold, though our key has signed it', async () => {
    await expect(read(await signed({}, 'at+jwt'))).rejects.toThrow();
    await expect(read(await signed({ iss: 'somebody' }))).rejects.toThrow();
    await expect(read(await signed({ iss: 'cord-auth', aud: 'elsewhere' }))).rejects.toThrow();
    await expect(read(await signed({ aud: ['cord', 'elsewhere'] }))).rejects.toThrow();
  });
});
