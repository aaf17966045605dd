import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { contentHash } from './content-hash.ts';
import { readWorkspaces } from './workspaces.ts';

let root: string;

function write(file: string, content: unknown): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
}

function lock(versions: Record<'dep' | 'other', string>): void {
  const packages = {
    app: { dependencies: { dep: '*' } },
    'node_modules/dep': { version: versions.dep },
    'node_modules/other': { version: versions.other },
  };
  write('package-lock.json', { packages });
}

const hash = () => contentHash(readWorkspaces(root), 'app', root);

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'cord-hash-'));
  write('package.json', { workspaces: ['app', 'app/inner', 'libs/*'] });
  lock({ dep: '1.0.0', other: '1.0.0' });
  write('app/package.json', { name: 'app', version: '1.0.0', dependencies: { lib: '1.0.0' } });
  write('app/inner/package.json', { name: 'inner', version: '1.0.0' });
  write('libs/lib/package.json', { name: 'lib', version: '1.0.0' });
  write('app/main.ts', 'a');
  write('libs/lib/index.ts', 'b');
});

describe('the hash of a package', () => {
  it.each([
    ['its own sources', 'app/main.ts'],
    ['a package it imports', 'libs/lib/index.ts'],
    ['a new file', 'app/parts/new.ts'],
  ])('changes with %s', (_what, file) => {
    const before = hash();
    write(file, 'changed');
    expect(hash()).not.toBe(before);
  });

  it.each([
    ['its tests', 'app/main.test.ts'],
    ['its stories', 'app/card.stories.tsx'],
    ['what was built', 'app/dist/main.js'],
    ['a package nested in its folder that it does not import', 'app/inner/index.ts'],
  ])('does not change with %s', (_what, file) => {
    const before = hash();
    write(file, 'changed');
    expect(hash()).toBe(before);
  });

  it('changes with the version of a package that it depends on, and with no other', () => {
    const before = hash();
    lock({ dep: '1.0.0', other: '2.0.0' });
    expect(hash()).toBe(before);
    lock({ dep: '2.0.0', other: '2.0.0' });
    expect(hash()).not.toBe(before);
  });

  it('changes when two files swap their contents', () => {
    const before = hash();
    write('app/main.ts', 'b');
    write('libs/lib/index.ts', 'a');
    expect(hash()).not.toBe(before);
  });
});
