// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ModuleLoadError } from '../federation/load-errors';
import { createModuleApp, type ModuleApp } from './module-app';

type Page = { bootstrap: () => Promise<void>; mount: (p: MountProps) => Promise<void>; unmount: () => Promise<void> };
interface MountProps {
  domElement: HTMLElement;
  onError: (error: unknown) => void;
}

let area: HTMLElement;
let reported: ModuleLoadError[];

const showing = (text: string): Page => ({
  bootstrap: async () => undefined,
  mount: async ({ domElement }) => {
    domElement.textContent = text;
  },
  unmount: async () => undefined,
});

function appOf(load: (options: { fresh: boolean }) => Promise<unknown>): ModuleApp {
  const app = createModuleApp({
    module: 'mfe_tasks',
    load: load as (options: { fresh: boolean }) => Promise<Record<string, unknown>>,
    report: (error) => void reported.push(error),
  });
  app.attach(area);
  return app;
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  area = document.createElement('div');
  reported = [];
});

describe('a module’s page', () => {
  it('mounts at once for single-spa, however long the load takes', async () => {
    const app = appOf(() => new Promise(() => undefined));
    await app.lifecycles.mount();
    expect(app.state.get()).toEqual({ status: 'loading' });
  });

  it('shows when it has loaded', async () => {
    const app = appOf(async () => showing('tasks'));
    await app.lifecycles.mount();
    await settled();
    expect(app.state.get()).toEqual({ status: 'ready' });
    expect(area.textContent).toBe('tasks');
  });

  it('that loads after its tab has gone is not mounted', async () => {
    let arrive: (page: Page) => void = () => undefined;
    const app = appOf(() => new Promise((resolve) => (arrive = resolve)));
    await app.lifecycles.mount();
    await app.lifecycles.unmount();
    arrive(showing('too late'));
    await settled();
    expect(area.textContent).toBe('');
    expect(app.state.get()).toEqual({ status: 'idle' });
  });

  it('that fails says how, and loads fresh on retry', async () => {
    const load = vi.fn(async ({ fresh }: { fresh: boolean }) => {
      if (!fresh) throw new ModuleLoadError('mfe_tasks', 'manifest', 'answered 500');
      return showing('back again');
    });
    const app = appOf(load);
    await app.lifecycles.mount();
    await settled();
    expect(app.state.get()).toEqual({ status: 'failed', failure: 'manifest', failures: 1 });
    expect(reported[0]?.module).toBe('mfe_tasks');
    app.retry();
    await settled();
    expect(app.state.get()).toEqual({ status: 'ready' });
    expect(area.textContent).toBe('back again');
  });

  it('counts failures in a row, so that the panel can offer a reload after the second', async () => {
    const app = appOf(async () => Promise.reject(new Error('offline')));
    await app.lifecycles.mount();
    await settled();
    app.retry();
    await settled();
    expect(app.state.get()).toMatchObject({ status: 'failed', failures: 2 });
  });

  it('that throws while rendering is taken away and fails', async () => {
    let crash: (error: unknown) => void = () => undefined;
    const page: Page = {
      ...showing(''),
      mount: async ({ domElement, onError }) => {
        domElement.textContent = 'half a page';
        crash = onError;
      },
    };
    const app = appOf(async () => page);
    await app.lifecycles.mount();
    await settled();
    crash(new Error('undefined is not a function'));
    await settled();
    expect(app.state.get()).toMatchObject({ status: 'failed', failure: 'render' });
    expect(area.textContent).toBe('');
  });

  it('that throws on its first render, and mounts all the same, has failed: retry asks anew, then a reload is offered', async () => {
    const load = vi.fn(async (_options: { fresh: boolean }) => ({
      ...showing(''),
      mount: async ({ onError }: MountProps) => onError(new Error('undefined is not a function')),
    }));
    const app = appOf(load);
    await app.lifecycles.mount();
    await settled();
    expect(app.state.get()).toEqual({ status: 'failed', failure: 'render', failures: 1 });
    app.retry();
    await settled();
    expect(load).toHaveBeenLastCalledWith({ fresh: true });
    expect(app.state.get()).toEqual({ status: 'failed', failure: 'render', failures: 2 });
  });

  it('without lifecycles is refused', async () => {
    const app = appOf(async () => ({ somethingElse: true }));
    await app.lifecycles.mount();
    await settled();
    expect(app.state.get()).toMatchObject({ status: 'failed', failure: 'exports' });
  });

  it('prepared ahead shows what was prepared', async () => {
    const prepare = vi.fn(async ({ domElement }: MountProps) => void domElement.setAttribute('data-made', 'ahead'));
    const page = { ...showing('tasks'), prepare };
    const app = appOf(async () => page);
    await app.prepare(null);
    await app.prepare(null);
    expect(prepare).toHaveBeenCalledOnce();
    expect(area.childElementCount).toBe(0);
    await app.lifecycles.mount();
    await settled();
    expect(area.querySelector('[data-made="ahead"]')?.textContent).toBe('tasks');
  });

  it('prepared for who was signed in is not shown to the next', async () => {
    const unmount = vi.fn(async () => undefined);
    const prepare = async ({ domElement }: MountProps) => void domElement.setAttribute('data-made', 'ahead');
    const app = appOf(async () => ({ ...showing('tasks'), prepare, unmount }));
    await app.prepare(null);
    app.discard();
    await settled();
    expect(unmount).toHaveBeenCalledOnce();
    await app.lifecycles.mount();
    await settled();
    expect(area.querySelector('[data-made="ahead"]')).toBeNull();
    expect(area.textContent).toBe('tasks');
  });

  it('that cannot be prepared says nothing; its tab loads it anew', async () => {
    let broken = true;
    const app = appOf(async () => {
      if (broken) throw new Error('offline');
      return showing('tasks');
    });
    await app.prepare(null);
    expect(app.state.get()).toEqual({ status: 'idle' });
    expect(reported).toEqual([]);
    broken = false;
    await app.lifecycles.mount();
    await settled();
    expect(area.textContent).toBe('tasks');
  });

  it('of a module without a way to prepare is made when its tab is opened', async () => {
    const app = appOf(async () => showing('tasks'));
    await app.prepare(null);
    await app.lifecycles.mount();
    await settled();
    expect(area.textContent).toBe('tasks');
  });

  it('laid out ahead leaves the screen with its tab, even if it hangs while leaving', async () => {
    vi.stubGlobal('CSS', { supports: () => true });
    const place = document.body.appendChild(document.createElement('main'));
    const prepare = async ({ domElement }: MountProps) => domElement.append(document.createElement('p'));
    const unmount = () => new Promise<void>(() => undefined);
    const page = { ...showing('stuck'), prepare, unmount };
    const app = appOf(async () => page);
    await app.prepare(place);
    await vi.waitFor(() => expect(place.childElementCount).toBe(1));
    await app.lifecycles.mount();
    await settled();
    expect(place.textContent).toBe('stuck');
    app.attach(null);
    expect(place.childElementCount).toBe(0);
    vi.unstubAllGlobals();
    place.remove();
  });

  it('that hangs while leaving does not keep its tab', async () => {
    const app = appOf(async () => ({ ...showing('stuck'), unmount: () => new Promise<void>(() => undefined) }));
    await app.lifecycles.mount();
    await settled();
    await app.lifecycles.unmount();
    expect(app.state.get()).toEqual({ status: 'idle' });
  });
});
