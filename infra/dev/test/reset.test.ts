import { readdirSync as namesIn, type PathLike, type RmOptions } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { expect, test, vi } from 'vitest';
import { hasStore, lockDataFolder } from '../starter/data-folder.ts';
import { resetData } from '../starter/reset.ts';

/** Entries that may still be removed or renamed before the command is killed. */
let allowed = Number.POSITIVE_INFINITY;
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const orKilled = async (path: PathLike) => {
    if ((await real.stat(path).catch(() => undefined)) && --allowed < 0) throw new Error('killed');
  };
  const rm = async (path: PathLike, options?: RmOptions) => {
    if (options?.recursive) await orKilled(path);
    return real.rm(path, options);
  };
  const rename = async (from: PathLike, to: PathLike) => {
    await orKilled(from);
    return real.rename(from, to);
  };
  return { ...real, rename, rm };
});

const DATA = ['store', 'nats', 'secrets', 'releases'];
const ENTRIES = [...DATA, 'logs'];

test('a start after a reset that was interrupted at any moment finds all data or none', async () => {
  let interrupted = 0;
  for (let isDone = false; !isDone; interrupted += 1) {
    const { folder } = stopAfterTest(await scratch());
    for (const name of ENTRIES) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'file'), name);
    }
    allowed = interrupted;
    isDone = await resetData(folder).then(
      () => true,
      ({ message }: Error) => {
        expect(message).toBe('killed');
        return false;
      },
    );
    allowed = Number.POSITIVE_INFINITY;
    expect(hasStore(folder)).toBe(false);
    await (await lockDataFolder(folder)).release();
    expect(
      DATA.filter((name) => namesIn(folder).includes(name)),
      `after ${interrupted} removals`,
    ).toEqual([]);
    await resetData(folder);
    expect(namesIn(folder)).toEqual([]);
  }
  expect(interrupted).toBeGreaterThan(ENTRIES.length);
});
