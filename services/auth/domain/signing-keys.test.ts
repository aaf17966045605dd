import { SESSION_MS } from '@cord/contracts/rules/timings';
import { describe, expect, it } from 'vitest';
import { type KeyTimes, nextKey, PUBLISHED_AHEAD_MS, publishedKeys, SIGNS_FOR_MS, signingKey } from './signing-keys.js';

const MINUTE_MS = 60_000;

describe('the schedule of signing keys', () => {
  it('lets the first key sign at once', () => {
    expect(nextKey([], 1_000)).toEqual({ generation: 1, signsFromMs: 1_000 });
  });

  it('lets the only key sign even if it was created by a clock that is ahead', () => {
    const [first, next] = [2, 3].map((generation) => ({ kid: `${generation}`, generation, signsFromMs: generation }));
    expect(signingKey([next, first] as KeyTimes[], 1)).toBe(first);
    expect(signingKey([next, first] as KeyTimes[], 3)).toBe(next);
    expect(signingKey([], 3)).toBeNull();
  });

  it('over a year has one signing key at any time, published ten minutes ahead and until its last token expires', () => {
    const keys: KeyTimes[] = [];
    const publishedFromMs = new Map<string, number>();
    const signedLastMs = new Map<string, number>();
    const broken: string[] = [];
    for (let nowMs = 0; nowMs < 365 * 86_400_000; nowMs += 7 * MINUTE_MS) {
      const due = nextKey(keys, nowMs);
      if (due) {
        keys.push({ kid: `key ${due.generation}`, ...due });
        publishedFromMs.set(`key ${due.generation}`, nowMs);
      }
      const signer = signingKey(keys, nowMs);
      const published = new Set(publishedKeys(keys, nowMs).map((key) => key.kid));
      if (!signer || !published.has(signer.kid)) broken.push(`no key signs at ${nowMs}`);
      if (!signer) continue;
      const knownForMs = nowMs - (publishedFromMs.get(signer.kid) ?? nowMs);
      if (signer.generation > 1 && knownForMs < PUBLISHED_AHEAD_MS) broken.push(`${signer.kid} signs too early`);
      signedLastMs.set(signer.kid, nowMs);
      for (const [kid, lastMs] of signedLastMs) {
        if (nowMs < lastMs + SESSION_MS && !published.has(kid)) broken.push(`${kid} went too early`);
      }
    }
    expect(broken).toEqual([]);
    expect(keys).toHaveLength(Math.ceil((365 * 86_400_000) / SIGNS_FOR_MS));
  });

  it('drops a key when its last token has expired', () => {
    const keys = [
      { kid: 'old', generation: 1, signsFromMs: 0 },
      { kid: 'new', generation: 2, signsFromMs: 1_000 },
    ];
    expect(publishedKeys(keys, 999 + SESSION_MS).map((key) => key.kid)).toEqual(['old', 'new']);
    expect(publishedKeys(keys, 1_000 + SESSION_MS).map((key) => key.kid)).toEqual(['new']);
  });

  it('after a long pause, still publishes the next key ten minutes before it signs', () => {
    const sleptMs = 3 * SIGNS_FOR_MS;
    const keys = [{ kid: 'old', generation: 1, signsFromMs: 0 }];
    expect(nextKey(keys, sleptMs)).toEqual({ generation: 2, signsFromMs: sleptMs + PUBLISHED_AHEAD_MS });
  });
});
