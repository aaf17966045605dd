// @vitest-environment jsdom
import { createInstance } from '@module-federation/enhanced/runtime';
import { describe, expect, it, vi } from 'vitest';
import { createModuleLoader } from './load-module';
import type { Registry } from './registry';
import { createFederation, type Federation } from './runtime';
import { SHARED } from './shared';

const entryOf = (name: string) => `http://localhost:3000/modules/${name}/1/mf-manifest.json`;

const manifestOf = (name: string) => ({
  id: name,
  name,
  metaData: {
    name,
    globalName: name,
    type: 'app',
    buildInfo: { buildVersion: '1', buildName: name },
    publicPath: `http://localhost:3000/modules/${name}/1/`,
    remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' },
    types: { path: '', name: '', zip: '', api: '' },
    pluginVersion: '2.9.2',
  },
  shared: [],
  remotes: [],
  exposes: [],
});

/** Fakes the module's entry script, since jsdom runs no scripts. */
function scriptsAnswer(
  name: string,
  outcome: 'runs' | 'fails',
  get: (scope: unknown) => Promise<unknown> = async () => () => ({ answer: 42 }),
) {
  let scope: unknown;
  return vi.spyOn(document.head, 'appendChild').mockImplementation((node) => {
    queueMicrotask(() => {
      if (outcome === 'runs') {
        Object.assign(globalThis, {
          [name]: {
            init: async (given: unknown) => {
              scope = given;
            },
            get: () => get(scope),
          },
        });
      }
      (node as HTMLScriptElement).dispatchEvent(new Event(outcome === 'runs' ? 'load' : 'error'));
    });
    return node;
  });
}

/** As the page has it: the loader lays at a module's door what the runtime throws. */
function loaderOf(federation: Federation) {
  const find = async (name: string) => ({ entry: entryOf(name), version: '1' });
  const registry = { find, latest: () => null } as unknown as Registry;
  return createModuleLoader({ registry, federation: async () => federation });
}

describe('the federation runtime of the shell', () => {
  it('loads on a retry after a 500 with a JSON body', async () => {
    const federation = createFederation();
    scriptsAnswer('mfe_probe', 'runs');
    vi.stubGlobal('fetch', async () => Response.json({ error: 'down' }, { status: 500 }));
    federation.register('mfe_probe', entryOf('mfe_probe'), { force: false });
    await expect(federation.load('mfe_probe', 'page')).rejects.toMatchObject({ failure: 'manifest' });

    vi.stubGlobal('fetch', async () => Response.json(manifestOf('mfe_probe')));
    federation.register('mfe_probe', entryOf('mfe_probe'), { force: true });
    expect(await federation.load('mfe_probe', 'page')).toEqual({ answer: 42 });
  });

  it.each([
    [
      'a name of the sdk',
      'mfe_one',
      { sdk: ['useSdk', 'useTomorrow'], ui: ['Button'] },
      'takes useTomorrow of @cord/sdk',
    ],
    ['a name of the design system', 'mfe_two', { sdk: [], ui: ['Hologram'] }, 'takes Hologram of @cord/ui'],
    [
      'a newer federation runtime',
      'mfe_three',
      { sdk: [], ui: [], runtime: '^99.0.0' },
      'wants the federation runtime ^99.0.0',
    ],
  ])('refuses a module that uses %s which is missing here, before it runs', async (_what, name, surface, message) => {
    const federation = createFederation();
    const script = scriptsAnswer(name, 'runs');
    vi.stubGlobal('fetch', async () => Response.json({ ...manifestOf(name), cord: { surface } }));
    federation.register(name, entryOf(name), { force: true });
    const refused = await federation.load(name, 'page').catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'ModuleLoadError', module: name, failure: 'incompatible' });
    expect(String(refused)).toContain(message);
    expect(script).not.toHaveBeenCalled();

    const fitting = { sdk: ['useSdk', 'useTabs'], ui: ['Button'], runtime: '^2.9.0' };
    vi.stubGlobal('fetch', async () => Response.json({ ...manifestOf(name), cord: { surface: fitting } }));
    federation.register(name, entryOf(name), { force: true });
    expect(await federation.load(name, 'page')).toEqual({ answer: 42 });
  });

  it('attributes a script that does not load to its module, and loads it on a retry', async () => {
    const federation = createFederation();
    const broken = scriptsAnswer('mfe_other', 'fails');
    vi.stubGlobal('fetch', async () => Response.json(manifestOf('mfe_other')));
    federation.register('mfe_other', entryOf('mfe_other'), { force: true });
    await expect(loaderOf(federation).load('mfe_other', 'page')).rejects.toMatchObject({
      name: 'ModuleLoadError',
      module: 'mfe_other',
    });
    broken.mockRestore();
    scriptsAnswer('mfe_other', 'runs');
    federation.register('mfe_other', entryOf('mfe_other'), { force: true });
    expect(await federation.load('mfe_other', 'page')).toEqual({ answer: 42 });
  });

  it.each([
    ['the retry of who wanted it', 'mfe_wants', 'mfe_wants'],
    ['another that takes it', 'mfe_first', 'mfe_second'],
  ])('reloads a shared package that failed, for %s', async (_who, first, second) => {
    const views = SHARED['@cord/sdk/views'] as { get: () => Promise<() => unknown> };
    vi.spyOn(views, 'get').mockRejectedValueOnce(new Error('offline'));
    const federation = createFederation();
    const page = (name: string, load = () => federation.load(name, 'page')) => {
      scriptsAnswer(name, 'runs', async (scope) => {
        const takes = createInstance({ name, remotes: [] });
        takes.initShareScopeMap('default', scope as never);
        return takes.loadShare('@cord/sdk/views', { customShareInfo: { shareConfig: { requiredVersion: '*' } } });
      });
      vi.stubGlobal('fetch', async () => Response.json(manifestOf(name)));
      federation.register(name, entryOf(name), { force: true });
      return load();
    };
    await expect(page(first, () => loaderOf(federation).load(first, 'page'))).rejects.toMatchObject({ module: first });
    expect(await page(second)).toHaveProperty('AsLeft');
    // Another build of it uses the same one.
    expect(await page(second)).toHaveProperty('AsLeft');
  });

  it('checks the integrity of manifest and entry script by the registry', async () => {
    const federation = createFederation();
    const script = scriptsAnswer('mfe_hashed', 'runs');
    const requests: unknown[] = [];
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      requests.push([url, init?.integrity]);
      return Response.json(manifestOf('mfe_hashed'));
    });
    const integrity = { 'mf-manifest.json': 'sha256-ofTheManifest', 'remoteEntry.js': 'sha256-ofTheEntry' };
    federation.register('mfe_hashed', entryOf('mfe_hashed'), { force: true, integrity });
    await federation.load('mfe_hashed', 'page');
    expect(requests).toEqual([[entryOf('mfe_hashed'), 'sha256-ofTheManifest']]);
    const [[element]] = script.mock.calls as unknown as [[HTMLScriptElement]];
    expect([element.src, element.integrity]).toEqual([
      'http://localhost:3000/modules/mfe_hashed/1/remoteEntry.js',
      'sha256-ofTheEntry',
    ]);
  });

  it('reads the manifest once, and preloads the files of each exposed module', async () => {
    const federation = createFederation();
    scriptsAnswer('mfe_preloaded', 'runs');
    const assets = (name: string) => ({
      js: { sync: ['assets/both.js', `assets/${name}.js`], async: ['assets/later.js'] },
      css: { sync: [`assets/${name}.css`], async: [] },
    });
    const exposes = ['page', 'parts'].map((name) => ({ name, path: `./${name}`, assets: assets(name) }));
    const integrity = { 'assets/page.js': 'sha256-ofThePage' };
    const requests = vi.fn(async () => Response.json({ ...manifestOf('mfe_preloaded'), exposes, cord: { integrity } }));
    vi.stubGlobal('fetch', requests);
    federation.register('mfe_preloaded', entryOf('mfe_preloaded'), { force: true });
    await Promise.all([federation.load('mfe_preloaded', 'page'), federation.load('mfe_preloaded', 'parts')]);
    await federation.load('mfe_preloaded', 'page');
    expect(requests).toHaveBeenCalledTimes(1);
    const links = [...document.head.querySelectorAll<HTMLLinkElement>('link[href*="mfe_preloaded"]')];
    expect(links.map((link) => [link.as, link.href.split('/').at(-1), link.integrity])).toEqual([
      ['style', 'page.css', ''],
      ['script', 'both.js', ''],
      ['script', 'page.js', 'sha256-ofThePage'],
      ['style', 'parts.css', ''],
      ['script', 'parts.js', ''],
    ]);
  });

  it.each([
    ['no JSON', () => new Response('<!doctype html>')],
    ['another JSON', () => Response.json(null)],
  ])('rejects %s as a manifest, and reads it again at the next load', async (what, body) => {
    const name = `mfe_${what.replace(' ', '_')}`;
    const federation = createFederation();
    scriptsAnswer(name, 'runs');
    vi.stubGlobal('fetch', async () => body());
    federation.register(name, entryOf(name), { force: true });
    await expect(federation.load(name, 'page')).rejects.toMatchObject({ module: name, failure: 'manifest' });
    vi.stubGlobal('fetch', async () => Response.json(manifestOf(name)));
    expect(await federation.load(name, 'page')).toEqual({ answer: 42 });
  });
});
