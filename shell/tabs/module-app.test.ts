import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ModuleLoadError } from '../federation/load-errors';
import { createModuleApp, type ModuleApp } from './module-app';

const Page = () => null;
const loaded = { Page };

let reported: ModuleLoadError[];
/** State of the tab in the shell. */
let situation: { kept: boolean; here: boolean; release: string; off: boolean };
/** Number of times the registry was read. */
let looks: number;

function appOf(load: (options: { fresh: boolean }) => Promise<unknown>): ModuleApp {
  return createModuleApp({
    tab: 'tasks',
    module: 'mfe_tasks',
    load: load as (options: { fresh: boolean }) => Promise<Record<string, unknown>>,
    isHere: () => situation.here,
    isOff: () => situation.off,
    refreshRegistry: () => {
      looks += 1;
    },
    release: () => situation.release,
    isKept: () => situation.kept,
    report: (error) => void reported.push(error),
  });
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** Visits the tab and waits for its page. */
async function open(app: ModuleApp) {
  await app.lifecycles.mount();
  await settled();
  return app.state.get();
}

/** Returns the page that is on screen or kept. */
function pageOf(app: ModuleApp): unknown {
  const state = app.state.get();
  return 'page' in state ? state.page : null;
}

beforeEach(() => {
  reported = [];
  situation = { kept: true, here: false, release: '1', off: false };
  looks = 0;
});

describe('a module’s page', () => {
  it('mounts at once for single-spa, however long the load takes', async () => {
    const app = appOf(() => new Promise(() => undefined));
    await app.lifecycles.mount();
    expect(app.state.get()).toEqual({ status: 'loading' });
  });

  it('is shown when it is loaded', async () => {
    expect(await open(appOf(async () => loaded))).toMatchObject({
      status: 'shown',
      page: { type: Page },
      release: '1',
    });
  });

  it('with loaded code is shown without a skeleton', async () => {
    situation.here = true;
    const app = appOf(async () => loaded);
    const seen: string[] = [];
    app.state.listen(() => seen.push(app.state.get().status));
    await open(app);
    expect(seen).toEqual(['shown']);
  });

  it('that fails to load after its tab is left does not fail the next visit', async () => {
    let refuse: (error: Error) => void = () => undefined;
    const loads = [() => new Promise((_, reject) => (refuse = reject)), () => new Promise(() => undefined)];
    const app = appOf(() => loads.shift()?.() as Promise<unknown>);
    await app.lifecycles.mount();
    await app.lifecycles.unmount();
    await app.lifecycles.mount();
    refuse(new ModuleLoadError('mfe_tasks', 'script', 'gone'));
    await settled();
    expect([app.state.get(), reported]).toEqual([{ status: 'loading' }, []]);
  });

  it('that loads after its tab is left is not shown', async () => {
    let arrive: (found: typeof loaded) => void = () => undefined;
    const app = appOf(() => new Promise((resolve) => (arrive = resolve)));
    await app.lifecycles.mount();
    await app.lifecycles.unmount();
    arrive(loaded);
    await settled();
    expect(app.state.get()).toEqual({ status: 'idle' });
  });

  it('that fails shows the kind of failure, and loads fresh on retry', async () => {
    const load = vi.fn(async ({ fresh }: { fresh: boolean }) => {
      if (!fresh) throw new ModuleLoadError('mfe_tasks', 'manifest', 'answered 500');
      return loaded;
    });
    const app = appOf(load);
    expect(await open(app)).toEqual({ status: 'failed', failure: 'manifest', failures: 1 });
    expect(reported[0]?.module).toBe('mfe_tasks');
    app.retry();
    await settled();
    expect(app.state.get().status).toBe('shown');
  });

  it('counts consecutive failures until it renders, as the panel offers Reload after the second', async () => {
    const load = vi.fn(async (_options: { fresh: boolean }) => loaded);
    const app = appOf(load);
    for (const failures of [1, 2]) {
      expect(await open(app)).toMatchObject({ status: 'shown' });
      app.threw(new Error('undefined is not a function'));
      expect(app.state.get()).toEqual({ status: 'failed', failure: 'render', failures });
    }
    expect(load.mock.calls).toEqual([[{ fresh: false }], [{ fresh: true }]]);
    await open(app);
    app.rendered();
    app.threw(new Error('later'));
    expect(app.state.get()).toMatchObject({ status: 'failed', failures: 1 });
  });

  it('that is not a component is refused', async () => {
    expect(await open(appOf(async () => ({ somethingElse: true })))).toMatchObject({
      status: 'failed',
      failure: 'exports',
    });
  });
});

describe('a page that was left', () => {
  it('is kept, and returns as it was without another load', async () => {
    const load = vi.fn(async () => loaded);
    const app = appOf(load);
    await open(app);
    const before = pageOf(app);
    await app.lifecycles.unmount();
    expect(app.state.get().status).toBe('kept');
    await open(app);
    expect(app.state.get().status).toBe('shown');
    expect(pageOf(app)).toBe(before);
    expect(load).toHaveBeenCalledOnce();
  });

  it('is removed if it is not to be kept, and when single-spa unloads it', async () => {
    const app = appOf(async () => loaded);
    situation.kept = false;
    await open(app);
    await app.lifecycles.unmount();
    expect(app.state.get()).toEqual({ status: 'idle' });
    situation.kept = true;
    await open(app);
    await app.lifecycles.unmount();
    await app.lifecycles.unload();
    expect(app.state.get()).toEqual({ status: 'idle' });
  });

  it('is replaced by a new version at the next visit', async () => {
    const app = appOf(async () => loaded);
    await open(app);
    const before = pageOf(app);
    await app.lifecycles.unmount();
    situation.release = '2';
    expect(app.isOutdated()).toBe(true);
    expect(await open(app)).toMatchObject({ status: 'shown', release: '2' });
    expect(pageOf(app)).not.toBe(before);
  });

  it('is dropped and reported if it fails meanwhile, and loads fresh at the next visit', async () => {
    const load = vi.fn(async (_options: { fresh: boolean }) => loaded);
    const app = appOf(load);
    await open(app);
    await app.lifecycles.unmount();
    app.threw(new Error('late'));
    expect(app.state.get()).toEqual({ status: 'idle' });
    expect(reported).toHaveLength(1);
    await open(app);
    expect(load).toHaveBeenLastCalledWith({ fresh: true });
  });

  it('is not kept after it failed', async () => {
    const app = appOf(async () => Promise.reject(new Error('offline')));
    await open(app);
    await app.lifecycles.unmount();
    expect(app.state.get()).toEqual({ status: 'idle' });
  });
});

describe('a page whose module is switched off', () => {
  const OFF = { status: 'failed', failure: 'off', failures: 0 };
  const switchTo = async (app: ModuleApp, off: boolean) => {
    situation.off = off;
    app.applySwitch();
    await settled();
  };

  it('shows that without a report; Retry reads the registry', async () => {
    situation.off = true;
    const app = appOf(async () => loaded);
    expect(await open(app)).toEqual(OFF);
    app.retry();
    await settled();
    expect([app.state.get(), looks, reported]).toEqual([OFF, 1, []]);
    situation.off = false;
    app.retry();
    await settled();
    expect([app.state.get().status, looks]).toEqual(['shown', 1]);
  });

  it('is removed at once, and returns when the module is switched on', async () => {
    const app = appOf(async () => loaded);
    await open(app);
    const page = pageOf(app);
    await switchTo(app, false);
    expect(pageOf(app)).toBe(page);
    await switchTo(app, true);
    expect(app.state.get()).toEqual(OFF);
    await switchTo(app, false);
    expect(app.state.get().status).toBe('shown');
  });

  it('stays idle if its tab was never visited', async () => {
    const app = appOf(async () => loaded);
    const changes: unknown[] = [];
    app.state.listen((state) => changes.push(state));
    await switchTo(app, true);
    expect(changes).toEqual([]);
  });
});
