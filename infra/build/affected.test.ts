import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { affectedFolders } from './affected.ts';
import { moduleFolders } from './built.ts';
import { ROOT, readWorkspaces, withDependencies } from './workspaces.ts';

const workspaces = readWorkspaces();
const affected = (...files: string[]) => affectedFolders(workspaces, files, () => ({ before: {}, after: {} }));

/** Who is affected when packages of the lock file change their versions. */
function lockAffected(versions: Record<string, string>): string[] {
  const before = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const after = structuredClone(before);
  for (const [place, version] of Object.entries(versions)) after.packages[place].version = version;
  return affectedFolders(workspaces, ['package-lock.json'], () => ({ before, after }));
}

describe('what a change affects', () => {
  it('is the package itself, when nobody imports it', () => {
    expect(affected('mfe-tasks/page.tsx')).toEqual(['mfe-tasks']);
  });

  it('is everybody who imports the changed package, directly or not', () => {
    const folders = affected('services/contracts/rules/rate.ts');
    expect(folders).toContain('services/mining');
    expect(folders).toContain('shell/sdk');
    expect(folders).toContain('mfe-wallet');
    expect(folders).not.toContain('infra/embedded-mongo');
  });

  it('takes the innermost package around a file', () => {
    expect(affected('shell/main.tsx')).not.toContain('mfe-mining');
    expect(affected('shell/sdk/api.ts')).toContain('mfe-mining');
  });

  it('is everything for the build itself', () => {
    expect(affected('infra/build/rspack.preset.ts')).toHaveLength(workspaces.size);
  });

  it('is, for the lock file, whoever stands on what changed in it, by way of other packages and of ours', () => {
    const ofWallet = lockAffected({ 'mfe-wallet/node_modules/bs58': '7.0.0' });
    expect(ofWallet).toContain('mfe-wallet');
    expect(ofWallet).not.toContain('services/rewards');
    const ofTransport = lockAffected({ 'node_modules/@nats-io/nuid': '9.0.0' });
    expect(ofTransport).toContain('services/kit');
    expect(ofTransport).toContain('services/tasks');
    expect(ofTransport).not.toContain('mfe-tasks');
    expect(ofTransport).not.toContain('storybook/ui');
  });

  it('is everything for what the root itself depends on', () => {
    expect(lockAffected({ 'node_modules/typescript': '9.0.0' })).toHaveLength(workspaces.size);
  });

  it('is nothing for a file of no package', () => {
    expect(affected('README.md')).toEqual([]);
  });
});

/** A service or a module. */
const stands = (dir: string) => /^services\/(?!contracts|kit)/.test(dir) || moduleFolders().includes(dir);

describe('the workspace graph', () => {
  it('goes down only: no service or module is a dependency of another', () => {
    for (const { name, dir } of workspaces.values()) {
      if (!stands(dir)) continue;
      const below = [...withDependencies(workspaces, name)].map((each) => workspaces.get(each)?.dir ?? '');
      const sideways = below.filter((other) => other !== dir && stands(other));
      expect(sideways, `${dir} imports`).toEqual([]);
    }
  });
});
