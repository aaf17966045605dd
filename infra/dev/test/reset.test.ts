import { readdirSync as namesIn, type PathLike, type RmOptions } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { expect, test, vi } from 'vitest';
import { resetData } from '../starter/reset.ts';

/** Folders that may still be deleted before the command is killed. */
let allowed = Number.POSITIVE_INFINITY;
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const rm = async (path: PathLike, options?: RmOptions) => {
    if (options?.recursive && (await real.stat(path).catch(() => undefined)) && --allowed < 0)
      throw new Error('killed');
    return real.rm(path, options);
  };
  return { ...real, rm };
});

const DATA = ['store', 'nats', 'secrets', 'releases'];

test('a reset that was interrupted has removed all data or none, and the next one removes the rest', async () => {
  const left: string[][] = [];
  for (const deleted of [0, 1, 2]) {
    const { folder } = stopAfterTest(await scratch());
    for (const name of [...DATA, 'logs']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'file'), name);
    }
    allowed = deleted;
    await resetData(folder).catch(({ message }: Error) => expect(message).toBe('killed'));
    left.push(DATA.filter((name) => namesIn(folder).includes(name)));
    allowed = Number.POSITIVE_INFINITY;
    await resetData(folder);
    expect(namesIn(folder)).toEqual([]);
  }
  expect(left).toEqual([[], [], []]);
});
