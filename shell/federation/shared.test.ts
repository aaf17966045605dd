// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript of the build, without types
import { SHARED_RANGES } from '../../infra/build/shared.mjs';
import sdkManifest from '../sdk/package.json' with { type: 'json' };
import { inCaretRange } from './registry';
import { SDK_VERSION } from './sdk-version';
import { SHARED } from './shared';

const ranges = SHARED_RANGES as Record<string, string>;

describe('what the shell shares with its modules', () => {
  it('is exactly what modules are built to take from it', () => {
    expect(Object.keys(SHARED).sort()).toEqual(Object.keys(ranges).sort());
  });

  it.each(Object.entries(ranges))('%s is in the range %s that modules want', (name, range) => {
    expect(inCaretRange(SHARED[name]?.version ?? '0.0.0', range)).toBe(true);
  });

  it('names the version of the sdk that it carries', () => {
    expect(SDK_VERSION).toBe(sdkManifest.version);
  });
});
