import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './workspaces.ts';

const RANGES = { '@cord/sdk': '^3.0.0', '@cord/ui': '^3.2.0' };
const FILES = {
  'package.json': JSON.stringify({ name: '@acme/mfe-weather', type: 'module', peerDependencies: RANGES }),
  'rspack.config.ts': `import { createConfig } from '@cord/build/rspack.preset';
export default createConfig({ name: 'mfe_weather', kind: 'remote', exposes: { './page': './page.ts' }, dir: import.meta.dirname });`,
  'page.ts': `import { useSdk } from '@cord/sdk';
import { Card } from '@cord/ui';
export const Page = () => Card({ children: useSdk() as never });`,
};

test('a module of another repository lists its imports from the shell in its manifest', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cord-build-module-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  execFileSync(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, 'build-module.ts')], {
    cwd: folder,
  });
  const { cord } = JSON.parse(readFileSync(path.join(folder, 'dist/mf-manifest.json'), 'utf8'));
  expect(cord.surface).toEqual({ sdk: ['useSdk'], ui: ['Card'], runtime: expect.stringMatching(/^\^\d/) });
});
