// @vitest-environment jsdom
import { inCaretRange } from '@cord/build/caret-range.ts';
import { describe, expect, it } from 'vitest';
import { moduleFolders } from '../../infra/build/built.ts';
import { remoteShared } from '../../infra/build/shared.ts';
import uiManifest from '../../storybook/ui/package.json' with { type: 'json' };
import shellManifest from '../package.json' with { type: 'json' };
import sdkManifest from '../sdk/package.json' with { type: 'json' };
import { RUNTIME_VERSION, SDK_VERSION, UI_VERSION } from './sdk-version';
import { SHARED } from './shared';

const modules = moduleFolders() as string[];

describe('the packages that the shell shares', () => {
  it.each(modules)('are exactly those that %s is built with, in compatible versions', (dir) => {
    const shared = remoteShared(dir) as Record<string, { requiredVersion: string }>;
    expect(Object.keys(SHARED).sort()).toEqual(Object.keys(shared).sort());
    for (const [name, { requiredVersion }] of Object.entries(shared)) {
      expect(inCaretRange(SHARED[name]?.version ?? '0.0.0', requiredVersion), name).toBe(true);
    }
  });

  it('have the versions of their package.json', () => {
    const runtime = shellManifest.dependencies['@module-federation/enhanced'];
    expect([SDK_VERSION, UI_VERSION, RUNTIME_VERSION]).toEqual([sdkManifest.version, uiManifest.version, runtime]);
  });
});
