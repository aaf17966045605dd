import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

const { transpilePackages } = await import('./transpile.ts');

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cord-transpile-'));
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
}

const run = () => transpilePackages({ root, packages: ['one'] });

test('types are removed, values stay, and the map refers to the source without a copy of it', async () => {
  await write('one/deep/a.ts', `import type { B } from './b.js';\nexport const a: B | number = 1;\n`);
  expect(await run()).toBe(1);
  const code = await readFile(join(root, 'one/dist/deep/a.js'), 'utf8');
  expect(code).toContain('export const a = 1');
  expect(code).not.toContain('b.js');
  expect(code.trimEnd().split('\n').at(-1)).toBe('//# sourceMappingURL=a.js.map');
  const map = JSON.parse(await readFile(join(root, 'one/dist/deep/a.js.map'), 'utf8'));
  expect(map).toMatchObject({ sources: ['../../deep/a.ts'] });
  expect(map).not.toHaveProperty('sourcesContent');
});

test('tests, declarations and build output are not transpiled', async () => {
  await write('one/a.ts', 'export const a = 1;');
  await write('one/a.test.ts', 'export const t = 1;');
  await write('one/test/world.ts', 'export const w = 1;');
  await write('one/a.d.ts', 'export declare const d: 1;');
  await run();
  expect((await readdir(join(root, 'one/dist'))).sort()).toEqual(['a.js', 'a.js.map']);
});

test('unchanged output is not written again', async () => {
  await write('one/a.ts', 'export const a = 1;');
  await write('one/b.ts', 'export const b = 1;');
  await run();
  const before = await stat(join(root, 'one/dist/a.js'));
  await write('one/b.ts', 'export const b = 2;');
  expect(await run()).toBe(1);
  expect((await stat(join(root, 'one/dist/a.js'))).mtimeMs).toBe(before.mtimeMs);
});

test('the output of a deleted source is removed', async () => {
  await write('one/a.ts', 'export const a = 1;');
  await write('one/b.ts', 'export const b = 1;');
  await run();
  await rm(join(root, 'one/b.ts'));
  await run();
  expect((await readdir(join(root, 'one/dist'))).sort()).toEqual(['a.js', 'a.js.map']);
});

test('a file that does not parse is reported by name', async () => {
  await write('one/a.ts', 'export const = 1;');
  await expect(run()).rejects.toThrow(/one\/a\.ts/);
});
