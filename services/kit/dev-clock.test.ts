import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../../infra/build/source-files.ts';
import { createMovableClock } from './clock.js';
import { loadDevClock } from './dev-clock.js';
import { forAllTests } from './testing/lifetimes.js';
import { scratch } from './testing/scratch.js';

describe('the movable clock', () => {
  it('only moves forward, and waits for the work that falls due', async () => {
    const clock = createMovableClock({ now: () => 1_000 });
    const ran: number[] = [];
    const off = clock.onAdvance(async () => {
      await Promise.resolve();
      ran.push(clock.now());
    });
    await clock.setOffset(500);
    expect(ran).toEqual([1_500]);
    await expect(clock.setOffset(499)).rejects.toThrow(RangeError);
    expect(clock.now()).toBe(1_500);
    off();
    await clock.setOffset(600);
    expect(ran).toEqual([1_500]);
  });

  it('runs all due work even when one part fails, and rejects with its error', async () => {
    const clock = createMovableClock({ now: () => 0 });
    let ran = false;
    clock.onAdvance(async () => {
      throw new Error('broken on purpose');
    });
    clock.onAdvance(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      ran = true;
    });
    await expect(clock.setOffset(1)).rejects.toThrow('broken on purpose');
    expect(ran).toBe(true);
  });
});

describe('the clock of the data folder', () => {
  const place = forAllTests(scratch);

  it('starts where it was left', async () => {
    expect(loadDevClock(place.folder).offsetMs()).toBe(0);
    await writeFile(join(place.folder, 'clock.json'), '{"offsetMs":90000000}');
    expect(loadDevClock(place.folder).offsetMs()).toBe(90_000_000);
  });

  it('stops the start and names its file when it cannot be read', async () => {
    await writeFile(join(place.folder, 'clock.json'), '{"offsetMs":"tomorrow"}');
    expect(() => loadDevClock(place.folder)).toThrow(/clock\.json/);
  });

  it('is loaded only by a dynamic import of service.ts', async () => {
    const source = await readFile(new URL('./service.ts', import.meta.url), 'utf8');
    expect(source).toMatch(/await import\('\.\/dev-clock\.js'\)/);
    const services = new URL('../', import.meta.url);
    const sources = sourceFiles(['**/*.ts', '!**/*.test.ts', '!**/test/**', '!**/testing/**'], fileURLToPath(services));
    expect(sources.length).toBeGreaterThan(100);
    const imports = async (name: string) =>
      / from '[^']*dev-clock/.test(await readFile(new URL(name, services), 'utf8'));
    const importing = await Promise.all(sources.map(async (name) => ((await imports(name)) ? [name] : [])));
    expect(importing.flat()).toEqual([]);
  });
});
