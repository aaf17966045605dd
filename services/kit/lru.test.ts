import { describe, expect, it } from 'vitest';
import { createLru, keeping } from './lru.js';

describe('a map that forgets', () => {
  it('forgets what was used longest ago, and says so', () => {
    const forgotten: number[] = [];
    const lru = createLru<string, number>(2, (value) => forgotten.push(value));
    lru.set('a', 1);
    lru.set('b', 2);
    expect(lru.get('a')).toBe(1);
    lru.set('c', 3);
    expect([lru.get('a'), lru.get('b'), lru.get('c'), lru.size]).toEqual([1, undefined, 3, 2]);
    expect(forgotten).toEqual([2]);
  });

  it('holds no more weight than it may, also when a value is replaced or heavier than all', () => {
    const lru = createLru<string, string>({ sizeMax: 10, weightMax: 6, weightOf: (value) => value.length });
    lru.set('a', 'xxx');
    lru.set('b', 'xxx');
    lru.set('b', 'x');
    lru.set('c', 'xx');
    expect([lru.get('a'), lru.get('b'), lru.get('c')]).toEqual(['xxx', 'x', 'xx']);
    lru.set('d', 'xxxx');
    expect([lru.get('a'), lru.get('b'), lru.get('c'), lru.get('d')]).toEqual([undefined, undefined, 'xx', 'xxxx']);
    lru.set('e', 'xxxxxxx');
    expect(lru.size).toBe(0);
    lru.delete('e');
    lru.set('f', 'xxxxxx');
    expect(lru.get('f')).toBe('xxxxxx');
  });
});

describe('what is made once and kept', () => {
  it('is made once for all who ask meanwhile, and anew once it was forgotten', async () => {
    const kept = createLru<string, Promise<number>>(1);
    let made = 0;
    const ask = (key: string) => keeping(kept, key, async () => ++made);
    expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1]);
    expect([await ask('b'), await ask('a')]).toEqual([2, 3]);
  });

  it('is made anew by who asks next where that has failed; an older failure takes nothing newer away', async () => {
    const kept = createLru<string, Promise<string>>(1);
    const failing = keeping(kept, 'a', () => Promise.reject(new Error('not now')));
    await expect(failing).rejects.toThrow('not now');
    expect(await keeping(kept, 'a', async () => 'then')).toBe('then');
    let fail = (_reason: Error): void => undefined;
    const old = keeping(kept, 'b', () => new Promise((_, reject) => (fail = reject)));
    kept.delete('b');
    const newer = keeping(kept, 'b', async () => 'newer');
    fail(new Error('late'));
    await expect(old).rejects.toThrow('late');
    expect([kept.get('b') === newer, await newer]).toEqual([true, 'newer']);
  });
});
