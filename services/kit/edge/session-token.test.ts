import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { importSessionKey, readSession, SESSION_ISSUER, signSession } from './session-token.js';

const NOW_MS = 1_790_000_000_123;
const [userId, sessionId] = ['a'.repeat(32), 'b'.repeat(32)];
const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
const jwk = { ...(await exportJWK(publicKey)), kid: 'kid' };
const key = await importSessionKey({ ...jwk, iss: SESSION_ISSUER });
const NAMED = { iss: 'cord-auth', aud: 'cord' };

/** Something else that the key has signed. */
function signed(claims: Record<string, unknown>, typ = 'JWT'): Promise<string> {
  return new SignJWT({ sub: userId, jti: sessionId, iat: NOW_MS / 1_000, exp: NOW_MS / 1_000 + 60, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'kid', typ })
    .sign(privateKey);
}

const read = (token: string) => readSession(token, key);

describe('a session token', () => {
  it('names its issuer and its audience', async () => {
    const token = await signSession(privateKey, 'kid', { userId, sessionId, nowMs: NOW_MS });
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(payload).toMatchObject({ iss: 'cord-auth', aud: 'cord' });
    expect(await read(token)).toMatchObject({ userId, sessionId, issuedAtMs: NOW_MS });
  });

  it('without issuer or audience is rejected, and so is a key without our issuer', async () => {
    expect(await read(await signed(NAMED))).toMatchObject({ userId, expiresAtMs: NOW_MS + 60_000 });
    for (const claims of [{}, { iss: 'cord-auth' }, { aud: 'cord' }])
      await expect(read(await signed(claims))).rejects.toThrow();
    for (const iss of [undefined, 'another']) await expect(importSessionKey({ ...jwk, iss })).rejects.toThrow();
  });

  it('of another type, issuer or audience is rejected, even when our key has signed it', async () => {
    await expect(read(await signed(NAMED, 'at+jwt'))).rejects.toThrow();
    await expect(read(await signed({ ...NAMED, iss: 'another' }))).rejects.toThrow();
    for (const aud of ['elsewhere', ['cord', 'elsewhere']])
      await expect(read(await signed({ ...NAMED, aud }))).rejects.toThrow();
  });
});
