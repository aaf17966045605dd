import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSignedValue, signValue } from '../signin/signed-value.js';
import { createKeyedHash } from './keyed-hash.js';
import { createSeal } from './seal.js';

describe('secrets at rest and in the browser', () => {
  it('what is sealed opens with the same secret only, and only unaltered', () => {
    const seal = createSeal('a secret of thirty-two characters', 'test');
    const sealed = seal.seal('{"d":"private"}', 'kid');
    expect(sealed).not.toContain('private');
    expect(seal.open(sealed, 'kid')).toBe('{"d":"private"}');
    expect(() => seal.open(sealed, 'another')).toThrow();
    expect(() => createSeal('another secret', 'test').open(sealed, 'kid')).toThrow();
    expect(() => createSeal('a secret of thirty-two characters', 'other').open(sealed, 'kid')).toThrow();
    const bytes = Buffer.from(sealed.slice('named.'.length), 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(() => seal.open(`named.${bytes.toString('base64')}`, 'kid')).toThrow();
    expect(() => seal.open(sealed.slice('named.'.length), 'kid')).toThrow();
  });

  it('what an earlier release sealed, bound to no name, still opens', () => {
    const secret = 'a secret of thirty-two characters';
    const nonce = randomBytes(12);
    const key = Buffer.from(hkdfSync('sha256', secret, 'cord', 'test', 32));
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const sealed = Buffer.concat([cipher.update('old', 'utf8'), cipher.final()]);
    const old = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    expect(createSeal(secret, 'test').open(old, 'any')).toBe('old');
  });

  it('a signed value comes back unaltered or not at all', () => {
    const hash = createKeyedHash('a secret', 'cookies');
    const signed = signValue(hash, 'transaction.1');
    expect(readSignedValue(hash, signed)).toBe('transaction.1');
    expect(readSignedValue(hash, signed.replace('1', '2'))).toBeNull();
    expect(readSignedValue(createKeyedHash('a secret', 'other'), signed)).toBeNull();
    expect(readSignedValue(hash, undefined)).toBeNull();
    expect(readSignedValue(hash, 'nothing')).toBeNull();
  });
});
