import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { affectedFolders, changedFiles } from './affected.ts';
import { moduleFolders } from './built.ts';
import { git } from './git.ts';
import { ROOT, readWorkspaces, withDependencies } from './workspaces.ts';

const workspaces = readWorkspaces();
const affected = (...files: string[]) => affectedFolders(workspaces, files, () => ({ before: {}, after: {} }));

/** Returns the packages affected when locked packages change their versions. */
function lockAffected(versions: Record<string, string>): string[] {
  const before = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const after = structuredClone(before);
  for (const [place, version] of Object.entries(versions)) after.packages[place].version = version;
  return affectedFolders(workspaces, ['package-lock.json'], () => ({ before, after }));
}

describe('a change', () => {
  it('affects only its own package when no other imports it', () => {
    expect(affected('mfe-tasks/page.tsx')).toEqual(['mfe-tasks']);
  });

  it('affects every package that imports the changed one, directly or indirectly', () => {
    const folders = affected('services/contracts/rules/rate.ts');
    expect(folders).toContain('services/mining');
    expect(folders).toContain('shell/sdk');
    expect(folders).toContain('mfe-wallet');
    expect(folders).not.toContain('infra/embedded-mongo');
  });

  it('counts for the innermost package around the file', () => {
    expect(affected('shell/main.tsx')).not.toContain('mfe-mining');
    expect(affected('shell/sdk/api.ts')).toContain('mfe-mining');
  });

  it.each([
    'infra/build/rspack.preset.ts',
    'infra/test/vitest.global.ts',
    'tsconfig.json',
    'tsconfig.web.json',
    'biome.json',
    'vitest.config.ts',
  ])('affects every package when the file builds, checks or tests them: %s', (file) => {
    expect(affected(file)).toHaveLength(workspaces.size);
  });

  it('in the lock file affects the packages that depend on it, directly or through others', () => {
    const ofWallet = lockAffected({ 'mfe-wallet/node_modules/bs58': '7.0.0' });
    expect(ofWallet).toContain('mfe-wallet');
    expect(ofWallet).not.toContain('services/rewards');
    const ofTransport = lockAffected({ 'node_modules/@nats-io/nuid': '9.0.0' });
    expect(ofTransport).toContain('services/kit');
    expect(ofTransport).toContain('services/tasks');
    expect(ofTransport).not.toContain('mfe-tasks');
    expect(ofTransport).not.toContain('storybook/ui');
  });

  it('to a dependency of the root affects every package', () => {
    expect(lockAffected({ 'node_modules/typescript': '9.0.0' })).toHaveLength(workspaces.size);
  });

  it('outside of all packages affects none', () => {
    expect(affected('README.md')).toEqual([]);
  });
});

describe('the files changed since a commit', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'cord-changed-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
  const write = (file: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), `the content of ${file}, long enough to be found again\n`);
  };

  it('include new and deleted files, and both paths of a moved one', () => {
    for (const file of ['mfe-a/same.ts', 'mfe-a/gone.ts', 'mfe-a/moves.ts', 'mfe-a/größe 1.ts']) write(file);
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-q', '-m', 'all');
    rmSync(path.join(root, 'mfe-a/gone.ts'));
    mkdirSync(path.join(root, 'mfe-b'));
    renameSync(path.join(root, 'mfe-a/moves.ts'), path.join(root, 'mfe-b/moves.ts'));
    git('add', '.');
    writeFileSync(path.join(root, 'mfe-a/größe 1.ts'), 'changed');
    write('mfe-b/"new".ts');
    expect(changedFiles('HEAD', root).sort()).toEqual(
      ['mfe-a/gone.ts', 'mfe-a/größe 1.ts', 'mfe-a/moves.ts', 'mfe-b/"new".ts', 'mfe-b/moves.ts'].sort(),
    );
  });
});

describe('git', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cord-archive-'));
  afterAll(() => void vi.unstubAllEnvs());

  it('fails on a downloaded archive, or when it is missing, with one message that names the step', () => {
    // Outside a checkout `git diff` prints its usage.
    for (const args of [['ls-files'], ['diff', '--name-only', 'HEAD', '--']])
      expect(() => git(folder, ...args)).toThrow(
        `${folder} is not a git checkout. In a downloaded archive, run "git init && git add --all".`,
      );
    vi.stubEnv('PATH', folder);
    expect(() => git(folder, 'ls-files')).toThrow('git cannot start (spawnSync git ENOENT). Install it.');
  });
});

/** A service or a module. */
const stands = (dir: string) => /^services\/(?!contracts|kit)/.test(dir) || moduleFolders().includes(dir);

describe('the workspace graph', () => {
  it('has no dependency between services and modules', () => {
    for (const { name, dir } of workspaces.values()) {
      if (!stands(dir)) continue;
      const below = [...withDependencies(workspaces, name)].map((each) => workspaces.get(each)?.dir ?? '');
      const sideways = below.filter((other) => other !== dir && stands(other));
      expect(sideways, `${dir} imports`).toEqual([]);
    }
  });
});
