import { describe, expect, it } from 'vitest';
import { createLru } from './lru.js';

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
