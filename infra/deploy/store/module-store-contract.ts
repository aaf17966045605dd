import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ModuleStore } from './folder-store.js';

/** A built folder with these files. */
export function builtFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cord-built-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/**
 * What every module store keeps to, whatever it lies on.
 * @param open another view of one and the same empty store at each call of what it gives
 */
export function keepsToTheContract(open: () => Promise<() => ModuleStore>): void {
  const HOUR_MS = 3_600_000;

  test('of many who write one name at once one wins, and its text is what everybody reads', async () => {
    const view = await open();
    const writers = Array.from({ length: 20 }, (_, n) =>
      view().create('.lines/a/0000000001.json', `writer ${n} `.repeat(500)),
    );
    const won = (await Promise.all(writers)).flatMap((first, n) => (first ? [n] : []));
    expect(won).toHaveLength(1);
    expect(await view().read('.lines/a/0000000001.json')).toBe(`writer ${won[0]} `.repeat(500));
    expect(await view().create('.lines/a/0000000001.json', 'later')).toBe(false);
  });

  test('names are those directly beneath, in order, and nothing of what is being written', async () => {
    const store = (await open())();
    expect(await store.names('.lines')).toEqual([]);
    expect(await store.read('.lines/b/1')).toBeNull();
    for (const key of ['.lines/b/2', '.lines/b/1', '.lines/a/1']) await store.create(key, 'x');
    expect(await store.names('.lines')).toEqual(['a', 'b']);
    expect(await store.names('.lines/b')).toEqual(['1', '2']);
    expect(await store.names('')).toEqual([]);
  });

  test('an upload has all files of the build but its own notes, and what lies there stays', async () => {
    const view = await open();
    const built = builtFolder({ 'mf-manifest.json': '{}', 'assets/page.js': 'page', '.build.json': '{}' });
    const other = builtFolder({ 'assets/page.js': 'other' });
    const outcomes = await Promise.all([built, built, built].map((folder) => view().upload('m/1', folder)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await view().upload('m/1', other)).toBe(false);
    expect(await view().describe('m/1')).toEqual([
      { path: 'assets/page.js', bytes: 4, sha256: '3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274' },
      {
        path: 'mf-manifest.json',
        bytes: 2,
        sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      },
    ]);
    expect(await view().read('m/1/assets/page.js')).toBe('page');
    expect(await view().names('m')).toEqual(['1']);
  });

  test('an upload that breaks off leaves nothing under its name', async () => {
    const store = (await open())();
    await expect(store.upload('m/1', '/nowhere/at/all')).rejects.toThrow();
    expect(await store.names('m')).toEqual([]);
    expect(await store.upload('m/1', builtFolder({ a: 'a' }))).toBe(true);
  });

  test('an upload follows no link, and leaves nothing', async () => {
    const store = (await open())();
    const built = builtFolder({ a: 'a' });
    symlinkSync(path.join(builtFolder({ secret: 'private' }), 'secret'), path.join(built, 'b'));
    await expect(store.upload('m/1', built)).rejects.toThrow('neither a file nor a folder');
    expect(await store.names('m')).toEqual([]);
  });

  test('a file has another stamp once it is another one, and its hash is that of its bytes', async () => {
    const store = (await open())();
    expect(await store.stamp('m/1/a')).toBeNull();
    await store.upload('m/1', builtFolder({ a: '{}' }));
    expect(await store.sha256('m/1/a')).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    const before = await store.stamp('m/1/a');
    expect(await store.stamp('m/1/a')).toBe(before);
    await store.upload('m/2', builtFolder({ a: '{}' }));
    expect(await store.stamp('m/2/a')).not.toBe(before);
  });

  test('what was uploaded or touched since is not taken away', async () => {
    const store = (await open())();
    const built = builtFolder({ a: 'a' });
    await store.upload('m/1', built);
    expect(await store.touch('m/2')).toBe(false);
    expect(await store.touch('m/1')).toBe(true);
    expect(await store.removeUntouched('m/1', Date.now() - HOUR_MS)).toBe(false);
    expect(await store.names('m')).toEqual(['1']);
    expect(await store.removeUntouched('m/1', Date.now() + HOUR_MS)).toBe(true);
    expect(await store.touch('m/1')).toBe(false);
    expect(await store.names('m')).toEqual([]);
    expect(await store.removeUntouched('m/1', Date.now() + HOUR_MS)).toBe(false);
    expect(await store.upload('m/1', built)).toBe(true);
  });
}
