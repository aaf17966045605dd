import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readWorkspaces, workspaceOf } from '@cord/build/workspaces.ts';
import { expect, test } from 'vitest';
import { findCandidate } from './candidates/candidate.js';
import { publish } from './publish.js';
import { folderStore } from './store/folder-store.js';
import { filesOf, readPointer } from './store/release-line.js';
import { builtFolder } from './test/built-folder.js';

const where = mkdtempSync(path.join(tmpdir(), 'cord-publish-'));
const store = folderStore(where);
const ANN = { who: 'ann', by: 'person', why: 'because' } as const;

const versionOf = (name: string) => workspaceOf(readWorkspaces(), name).version;
const RANGES = { '@cord/sdk': `^${versionOf('@cord/sdk')}`, '@cord/ui': `^${versionOf('@cord/ui')}` };
const manifest = { name: 'mfe_weather', exposes: [{ name: 'page', assets: { js: { sync: ['page.js'] } } }] };
const module = builtFolder({
  'package.json': JSON.stringify({ name: '@acme/mfe-weather', version: '1.0.0', peerDependencies: RANGES }),
  'dist/mf-manifest.json': JSON.stringify(manifest),
  'dist/remoteEntry.js': 'entry',
  'dist/page.js': 'page',
});
const published = () => publish(store, module, ANN, { running: undefined, report: () => undefined });

test('an earlier upload that was never put into use is checked like a new build', async () => {
  const candidate = await findCandidate(module);
  const { built } = await candidate.prepare();
  await candidate.dispose();
  const place = path.join(where, filesOf(built.name, built.version));
  mkdirSync(place, { recursive: true });
  const other = { ...manifest, exposes: [...manifest.exposes, { name: 'secret' }] };
  writeFileSync(path.join(place, 'mf-manifest.json'), JSON.stringify(other));
  await expect(published()).rejects.toThrow(
    /it exposes \.\/secret(.|\n)*it names remoteEntry\.js, which does not exist/,
  );
  expect(await readPointer(store, built.name)).toBeNull();
  rmSync(place, { recursive: true });
  await published();
  expect((await readPointer(store, built.name))?.version).toBe(built.version);
});
