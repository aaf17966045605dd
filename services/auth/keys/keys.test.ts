import { createKeyedHash } from '@cord/kit/keyed-hash';
import { createSeal } from '@cord/kit/seal';
import { describe, expect, it } from 'vitest';
import { readSignedValue, signValue } from '../signin/signed-value.js';

describe('secrets at rest and in the browser', () => {
  const SECRET = 'a secret of thirty-two characters';

  it('a sealed text opens only unaltered, with the same secret, purpose and name', async () => {
    const seal = createSeal(() => [SECRET], 'test');
    const sealed = await seal.seal('{"d":"private"}', 'kid');
    expect(Buffer.from(sealed.split('.')[3] ?? '', 'base64url').toString()).not.toContain('private');
    expect(await seal.open(sealed, 'kid')).toBe('{"d":"private"}');
    const [header = '', key = '', nonce = '', text = '', tag = ''] = sealed.split('.');
    const renamed = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: 'another' })).toString('base64url');
    const altered = `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
    for (const [opener, one, name] of [
      [seal, sealed, 'another'],
      [seal, [renamed, key, nonce, text, tag].join('.'), 'another'],
      [seal, [header, key, nonce, altered, tag].join('.'), 'kid'],
      [createSeal(() => ['another secret'], 'test'), sealed, 'kid'],
      [createSeal(() => [SECRET], 'other'), sealed, 'kid'],
    ] as const) {
      await expect(opener.open(one, name)).rejects.toThrow();
    }
  });

  it('with two values, the first one seals and either one opens', async () => {
    const [old, both, renewed] = [['old'], ['new', 'old'], ['new']].map((values) => createSeal(() => values, 'test'));
    if (!old || !both || !renewed) throw new Error('three seals are made above');
    const [before, after] = [await old.seal('text', 'kid'), await both.seal('text', 'kid')];
    expect(await both.open(before, 'kid')).toBe('text');
    expect([await both.isOfFirst(before, 'kid'), await both.isOfFirst(after, 'kid')]).toEqual([false, true]);
    expect(await renewed.open(after, 'kid')).toBe('text');
    await expect(renewed.open(before, 'kid')).rejects.toThrow();
  });

  it('a signed value is returned only if it is unaltered', () => {
    const hash = createKeyedHash('a secret', 'cookies');
    const signed = signValue(hash, 'transaction.1');
    expect(readSignedValue([hash], signed)).toBe('transaction.1');
    expect(readSignedValue([hash], signed.replace('1', '2'))).toBeNull();
    expect(readSignedValue([createKeyedHash('a secret', 'other')], signed)).toBeNull();
    expect(readSignedValue([createKeyedHash('a new secret', 'cookies'), hash], signed)).toBe('transaction.1');
    expect(readSignedValue([hash], undefined)).toBeNull();
    expect(readSignedValue([hash], 'nothing')).toBeNull();
  });
});
