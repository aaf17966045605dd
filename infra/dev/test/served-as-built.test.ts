import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hintOnBuiltModules } from '../starter/served-as-built.ts';

let place: Awaited<ReturnType<typeof scratch>>;
let close = (): void => undefined;
const lines: string[] = [];
beforeEach(async () => {
  place = stopAfterTest(await scratch());
  lines.length = 0;
  await mkdir(join(place.folder, 'mfe-tasks', 'dist'), { recursive: true });
  await mkdir(join(place.folder, 'mfe-mining'));
});
afterEach(() => close());
const watching = (folders: string[]) => {
  close = hintOnBuiltModules(folders, (line: string) => void lines.push(line), place.folder);
};
const write = (...name: string[]) => writeFile(join(place.folder, ...name), String(Math.random()));
const HINT = 'mfe-tasks is served as built: npm run dev -- tasks reloads it in the page';

test('a change in a module served as built prints the command that reloads it, once', async () => {
  watching(['mfe-tasks', 'mfe-mining']);
  await write('mfe-tasks', 'tasks-page.tsx');
  await expect.poll(() => lines).toEqual([HINT]);
  await write('mfe-tasks', 'package.json');
  await write('mfe-mining', 'page.module.css');
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[1]).toContain('npm run dev -- mining');
});

test('build output, tests and READMEs print no hint', async () => {
  watching(['mfe-tasks']);
  await write('mfe-tasks', 'dist', 'page.js');
  await write('mfe-tasks', 'page.test.tsx');
  await write('mfe-tasks', 'README.md');
  await write('mfe-tasks', 'page.tsx');
  await expect.poll(() => lines).toEqual([HINT]);
});
