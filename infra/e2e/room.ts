import { readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { cord } from '../test/kit/cord.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const ROOM = 'mfe_room';

const rangeOf = (folder: string): string =>
  `^${JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).version}`;

/** Ranges of sdk and ui that a current module requires. */
export const RANGES = { '@cord/sdk': rangeOf('shell/sdk'), '@cord/ui': rangeOf('storybook/ui') };

/** The tab and parts of a room. */
interface RoomContent {
  tab?: object;
  parts: object[];
}

/** Makes a module without a build: a page and a part of plain functions, in one file. @returns its folder */
export async function roomBuild(text: string, brings: RoomContent): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cord-room-'));
  const exposes = ['page', 'parts'].map((name) => ({
    id: `${ROOM}:${name}`,
    name,
    path: `./${name}`,
    assets: { js: { sync: [], async: [] }, css: { sync: [], async: [] } },
  }));
  const metaData = {
    ...{ name: ROOM, globalName: ROOM, publicPath: 'auto', pluginVersion: '2.9.2' },
    buildInfo: { buildVersion: '1.0.0', buildName: ROOM },
    remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' },
    types: { path: '', name: '', zip: '', api: '' },
  };
  const manifest = { id: ROOM, name: ROOM, metaData, shared: [], remotes: [], exposes, cord: brings };
  await writeFile(join(folder, 'mf-manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'remoteEntry.js'), containerShowing(text));
  return folder;
}

function containerShowing(shown: string): string {
  const text = JSON.stringify(shown);
  return `var ${ROOM} = (() => {
  const exposed = {
    './page': { Page: () => ${text} },
    './parts': { parts: { note: () => ${text} } },
  };
  return { init() {}, get: async (name) => () => exposed[name] };
})();
`;
}

/** Publishes a module's folder with an existing build, by the user's command. */
export async function publishByHand(text: string, brings: RoomContent): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cord-by-hand-'));
  const built = await roomBuild(text, brings);
  await rename(built, join(folder, 'dist'));
  const manifest = { name: ROOM.replace('_', '-'), version: '1.0.0', peerDependencies: RANGES };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const { code, stderr } = await cord(['module', 'publish', folder, '--why', 'A journey', '--data', inject('dataDir')]);
  await rm(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(stderr);
}
