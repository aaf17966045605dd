import { describe, expect, it } from 'vitest';
import { readSignedValue, signValue } from '../signin/signed-value.js';
import { createKeyedHash } from './keyed-hash.js';
import { createSeal } from './seal.js';

describe('secrets at rest and in the browser', () => {
  it('what is sealed opens with the same secret only, and only unaltered', () => {
    const seal = createSeal('a secret of thirty-two characters', 'test');
    const sealed = seal.seal('{"d":"private"}');
    expect(sealed).not.toContain('private');
    expect(seal.open(sealed)).toBe('{"d":"private"}');
    expect(() => createSeal('another secret', 'test').open(sealed)).toThrow();
    expect(() => createSeal('a secret of thirty-two characters', 'other').open(sealed)).toThrow();
    const bytes = Buffer.from(sealed, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(() => seal.open(bytes.toString('base64'))).toThrow();
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
