import { describe, expect, it } from 'vitest';
import { affectedFolders } from './affected.mjs';
import { readWorkspaces, withDependencies } from './workspaces.mjs';

const workspaces = readWorkspaces();
const affected = (...files: string[]) => affectedFolders(workspaces, files);

describe('what a change affects', () => {
  it('is the package itself, when nobody imports it', () => {
    expect(affected('mfe-tasks/page.tsx')).toEqual(['mfe-tasks']);
  });

  it('is everybody who imports the changed package, directly or not', () => {
    const folders = affected('services/contracts/rules/rate.ts');
    expect(folders).toContain('services/mining');
    expect(folders).toContain('shell/sdk');
    expect(folders).toContain('mfe-wallet');
    expect(folders).not.toContain('storybook/ui');
  });

  it('takes the innermost package around a file', () => {
    expect(affected('shell/main.tsx')).not.toContain('mfe-mining');
    expect(affected('shell/sdk/api.ts')).toContain('mfe-mining');
  });

  it('is everything for the lock file or the build itself', () => {
    expect(affected('package-lock.json')).toHaveLength(workspaces.size);
    expect(affected('infra/build/rspack.preset.mjs')).toHaveLength(workspaces.size);
  });

  it('is nothing for a file of no package', () => {
    expect(affected('README.md')).toEqual([]);
  });
});

describe('the workspace graph', () => {
  it('goes down only: no service or module is a dependency of another', () => {
    for (const { name, dir } of workspaces.values()) {
      if (!/^(services\/(?!contracts|kit)|mfe-)/.test(dir)) continue;
      const below = [...withDependencies(workspaces, name)].map((each) => workspaces.get(each)?.dir ?? '');
      const sideways = below.filter((other) => other !== dir && /^(services\/(?!contracts|kit)|mfe-)/.test(other));
      expect(sideways, `${dir} imports`).toEqual([]);
    }
  });
});
