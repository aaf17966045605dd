import { createStore } from '@cord/sdk';
import { describe, expect, it, vi } from 'vitest';
import { ModuleLoadError } from './load-errors';
import { createModuleLoader, LOAD_TIMEOUT_MS } from './load-module';
import type { Registry, RegistryState } from './registry';
import type { Federation } from './runtime';

const page = { mount: () => undefined };

function setUp({
  load,
  entries = ['/modules/m/1/mf-manifest.json'],
  onVersion = () => undefined,
}: {
  load: Federation['load'];
  entries?: string[];
  onVersion?: (module: string, version: string) => void;
}) {
  const registered: { entry: string; force: boolean }[] = [];
  let freshReads = 0;
  const registry: Registry = {
    state: createStore<RegistryState>({ status: 'loading' }),
    async find(_module, { fresh }) {
      if (fresh) freshReads += 1;
      return named();
    },
    latest: () => named(),
    isOff: () => false,
    refresh: () => {
      freshReads += 1;
    },
  };
  const named = () => ({ version: '1', entry: entries[Math.min(freshReads, entries.length - 1)] ?? '', sdk: '^1.0.0' });
  const federation: Federation = {
    register: (_module, entry, { force }) => void registered.push({ entry, force }),
    load,
  };
  const loader = createModuleLoader({ registry, federation: async () => federation, onVersion });
  return { loader, registered, freshReads: () => freshReads };
}

const quiet = () => new Promise((resolve) => setTimeout(resolve));

describe('loading a module', () => {
  it('happens once, then comes from memory', async () => {
    const load = vi.fn(async () => page);
    const { loader, registered } = setUp({ load });
    expect(loader.isHere('m', 'page')).toBe(false);
    const first = loader.load('m', 'page');
    expect(loader.isHere('m', 'page')).toBe(false);
    await first;
    await quiet();
    expect([loader.isHere('m', 'page'), loader.isHere('m', 'parts')]).toEqual([true, false]);
    expect(await loader.load('m', 'page')).toBe(page);
    expect(load).toHaveBeenCalledTimes(1);
    expect(registered).toEqual([{ entry: '/modules/m/1/mf-manifest.json', force: false }]);
  });

  it('uses a newer build from the next visit on, for page and parts together', async () => {
    const load = vi.fn(async () => page);
    const { loader, registered } = setUp({ load, entries: ['/modules/m/1/m.json', '/modules/m/2/m.json'] });
    expect(loader.releaseOf('m')).toBe('/modules/m/1/m.json');
    await loader.load('m', 'page');
    await quiet();
    loader.checkForReleases();
    await loader.load('m', 'parts');
    await quiet();
    expect([loader.releaseOf('m'), loader.isHere('m', 'page')]).toEqual(['/modules/m/1/m.json', true]);
    expect(registered).toEqual([{ entry: '/modules/m/1/m.json', force: false }]);
    loader.visit();
    expect([loader.releaseOf('m'), loader.isHere('m', 'page')]).toEqual(['/modules/m/2/m.json', false]);
    await Promise.all([loader.load('m', 'page'), loader.load('m', 'parts')]);
    await quiet();
    loader.visit();
    expect([loader.releaseOf('m'), loader.isHere('m', 'page')]).toEqual(['/modules/m/2/m.json', true]);
    expect(load).toHaveBeenCalledTimes(4);
    expect(registered).toEqual([
      { entry: '/modules/m/1/m.json', force: false },
      { entry: '/modules/m/2/m.json', force: true },
    ]);
  });

  it('again after a retry with another build reloads the parts of the old one', async () => {
    const load = vi.fn(async () => page);
    const { loader } = setUp({ load, entries: ['/modules/m/1/m.json', '/modules/m/2/m.json'] });
    await loader.load('m', 'page');
    await quiet();
    await loader.load('m', 'parts', { fresh: true });
    expect(loader.isHere('m', 'page')).toBe(false);
    await loader.load('m', 'page');
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('does not cache a failure', async () => {
    const load = vi.fn(async () => page).mockRejectedValueOnce(new Error('ScriptNetworkError'));
    const { loader } = setUp({ load });
    await expect(loader.load('m', 'page')).rejects.toBeInstanceOf(ModuleLoadError);
    expect(await loader.load('m', 'page')).toBe(page);
  });

  it('as a retry reads the registry again and registers by force', async () => {
    const load = vi.fn(async () => page).mockRejectedValueOnce(new Error('broken'));
    const { loader, registered } = setUp({
      load,
      entries: ['/modules/m/1/mf-manifest.json', '/modules/m/2/mf-manifest.json'],
    });
    await loader.load('m', 'page').catch(() => undefined);
    await loader.load('m', 'page', { fresh: true });
    expect(registered.at(-1)).toEqual({ entry: '/modules/m/2/mf-manifest.json', force: true });
  });

  it('times out with a typed error if the module never responds', async () => {
    vi.useFakeTimers();
    const { loader } = setUp({ load: () => new Promise(() => undefined) });
    const outcome = loader.load('m', 'page').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(LOAD_TIMEOUT_MS);
    expect(await outcome).toMatchObject({ failure: 'timeout', module: 'm' });
  });

  it('fails if the module exposes nothing', async () => {
    const { loader } = setUp({ load: async () => null });
    await expect(loader.load('m', 'parts')).rejects.toMatchObject({ failure: 'exports' });
  });

  it('as a retry happens once, however many parts and pages request it at the same time', async () => {
    const load = vi.fn(async () => page);
    load.mockRejectedValueOnce(new Error('down')).mockRejectedValueOnce(new Error('down'));
    const { loader, registered, freshReads } = setUp({ load });
    await Promise.allSettled([loader.load('m', 'parts'), loader.load('m', 'page')]);
    const all = [1, 2, 3].map(() => loader.load('m', 'parts', { fresh: true }));
    const first = await Promise.all([...all, loader.load('m', 'page', { fresh: true })]);
    expect(new Set(first)).toEqual(new Set([page]));
    // One load at first and one renewal; the three parts share a load.
    expect(registered).toHaveLength(2);
    expect(freshReads()).toBe(1);
    expect(load).toHaveBeenCalledTimes(4);
  });

  it('again for one part does not register a running module again', async () => {
    const { loader, registered } = setUp({ load: async () => page });
    await loader.load('m', 'parts');
    await loader.load('m', 'parts', { fresh: true });
    await loader.load('m', 'page', { fresh: true });
    expect(registered).toEqual([{ entry: '/modules/m/1/mf-manifest.json', force: false }]);
  });

  it('does not register a module again during a pending load of it', async () => {
    let arrive: (found: object) => void = () => undefined;
    const load = vi.fn(async () => page as object).mockRejectedValueOnce(new Error('down'));
    const { loader, registered } = setUp({ load });
    await loader.load('m', 'parts').catch(() => undefined);
    load.mockImplementationOnce(() => new Promise((resolve) => (arrive = resolve)));
    const onItsWay = loader.load('m', 'page');
    const anew = loader.load('m', 'parts', { fresh: true });
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2), 15_000);
    expect(registered).toHaveLength(1);
    arrive(page);
    await Promise.all([onItsWay, anew]);
    expect(registered).toHaveLength(1);
  });

  it('ignores a module that arrives after its timeout, so that the next retry registers again', async () => {
    vi.useFakeTimers();
    let comeLate: (found: object) => void = () => undefined;
    const load = vi.fn(async () => page as object);
    load
      .mockImplementationOnce(() => new Promise((resolve) => (comeLate = resolve)))
      .mockRejectedValueOnce(new Error('broken'));
    const { loader, registered } = setUp({ load, entries: ['/modules/m/1/m.json', '/modules/m/2/m.json'] });
    const givenUp = loader.load('m', 'page').catch(() => undefined);
    await vi.advanceTimersByTimeAsync(LOAD_TIMEOUT_MS);
    await givenUp;
    const broken = loader.load('m', 'page', { fresh: true }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    comeLate(page);
    await vi.advanceTimersByTimeAsync(1_000);
    await broken;
    const retry = loader.load('m', 'page', { fresh: true });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await retry).toBe(page);
    const second = { entry: '/modules/m/2/m.json', force: true };
    expect(registered).toEqual([{ entry: '/modules/m/1/m.json', force: false }, second, second]);
  });

  it('reports the version that runs', async () => {
    const onVersion = vi.fn();
    const { loader } = setUp({ load: async () => page, onVersion });
    await loader.load('m', 'page');
    expect(onVersion).toHaveBeenCalledWith('m', '1');
  });
});
