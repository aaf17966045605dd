import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isPublished, publish, readRegistry, writeRegistry } from './module-store.mjs';

let store: string;
let from: string;

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cord-store-'));
  store = path.join(folder, 'store');
  from = path.join(folder, 'dist');
  mkdirSync(path.join(from, 'assets'), { recursive: true });
  writeFileSync(path.join(from, 'mf-manifest.json'), '{}');
  writeFileSync(path.join(from, 'assets/page.js'), 'page');
  writeFileSync(path.join(from, '.build.json'), '{}');
});

const release = (version: string) => publish({ name: 'mfe_tasks', version, sdk: '^1.0.0', from }, store);

describe('publishing a module', () => {
  it('uploads it into its version’s folder and points the registry at it', () => {
    expect(release('1.0.0-a')).toBe(true);
    expect(readRegistry(store)).toEqual({
      modules: {
        mfe_tasks: { version: '1.0.0-a', entry: '/modules/mfe_tasks/1.0.0-a/mf-manifest.json', sdk: '^1.0.0' },
      },
    });
    expect(readFileSync(path.join(store, 'mfe_tasks/1.0.0-a/assets/page.js'), 'utf8')).toBe('page');
    expect(existsSync(path.join(store, 'mfe_tasks/1.0.0-a/.build.json'))).toBe(false);
  });

  it('never changes a version that is there', () => {
    release('1.0.0-a');
    writeFileSync(path.join(from, 'assets/page.js'), 'other');
    release('1.0.0-a');
    expect(readFileSync(path.join(store, 'mfe_tasks/1.0.0-a/assets/page.js'), 'utf8')).toBe('page');
  });

  it('leaves the other modules as they are', () => {
    release('1.0.0-a');
    publish({ name: 'mfe_mining', version: '2', sdk: '^1.0.0', from }, store);
    expect(Object.keys(readRegistry(store).modules).sort()).toEqual(['mfe_mining', 'mfe_tasks']);
  });

  it('of an old version again does not undo a rollback', () => {
    release('1.0.0-a');
    release('1.0.0-b');
    const rolledBack = readRegistry(store);
    rolledBack.modules.mfe_tasks.version = '1.0.0-a';
    writeRegistry(rolledBack, store);
    expect(release('1.0.0-b')).toBe(false);
    expect(readRegistry(store).modules.mfe_tasks.version).toBe('1.0.0-a');
  });

  it('ends a canary of the version before', () => {
    release('1.0.0-a');
    const registry = readRegistry(store);
    registry.modules.mfe_tasks.canary = { version: '1.0.0-b', entry: '/x', share: 0.1 };
    writeRegistry(registry, store);
    release('1.0.0-c');
    expect(readRegistry(store).modules.mfe_tasks.canary).toBeUndefined();
  });

  it('leaves no half-written folder and no half-written registry', () => {
    release('1.0.0-a');
    expect(readdirSync(path.join(store, 'mfe_tasks'))).toEqual(['1.0.0-a']);
    expect(readdirSync(store).sort()).toEqual(['mfe_tasks', 'remotes.json']);
    expect(isPublished('mfe_tasks', '1.0.0-b', store)).toBe(false);
  });

  it('keeps the version in use and five before it', () => {
    for (let n = 1; n <= 8; n += 1) release(`1.0.0-${n}`);
    expect(readdirSync(path.join(store, 'mfe_tasks'))).toHaveLength(6);
    expect(isPublished('mfe_tasks', '1.0.0-8', store)).toBe(true);
  });
});
