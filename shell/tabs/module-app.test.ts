// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ModuleLoadError } from '../federation/load-errors';
import { createModuleApp, type ModuleApp } from './module-app';

interface Page {
  bootstrap(): Promise<void>;
  mount(props: MountProps): Promise<void>;
  hide?(): Promise<void>;
  unmount(): Promise<void>;
}
interface MountProps {
  domElement: HTMLElement;
  onError: (error: unknown) => void;
}

let area: HTMLElement;
let reported: ModuleLoadError[];
/** What the shell says of the tab. */
let situation: { kept: boolean; here: boolean; release: string; returns: number };

const showing = (text: string): Page => ({
  bootstrap: async () => undefined,
  mount: async ({ domElement }) => {
    domElement.textContent = text;
  },
  unmount: async () => undefined,
});

function appOf(load: (options: { fresh: boolean }) => Promise<unknown>): ModuleApp {
  const app = createModuleApp({
    tab: 'tasks',
    module: 'mfe_tasks',
    load: load as (options: { fresh: boolean }) => Promise<Record<string, unknown>>,
    isHere: () => situation.here,
    isOff: () => false,
    lookAgain: () => undefined,
    release: () => situation.release,
    isKept: () => situation.kept,
    onReturn: () => {
      situation.returns += 1;
    },
    report: (error) => void reported.push(error),
  });
  app.attach(area);
  return app;
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  area = document.createElement('div');
  reported = [];
  situation = { kept: true, here: false, release: '1', returns: 0 };
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

  it('whose code has come already is shown without a skeleton', async () => {
    situation.here = true;
    const app = appOf(async () => showing('tasks'));
    const seen: string[] = [];
    app.state.listen(() => seen.push(app.state.get().status));
    await app.lifecycles.mount();
    await settled();
    expect(seen).toEqual(['ready']);
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

  it('that hangs while leaving does not keep its tab', async () => {
    const app = appOf(async () => ({ ...showing('stuck'), unmount: () => new Promise<void>(() => undefined) }));
    await app.lifecycles.mount();
    await settled();
    await app.lifecycles.unmount();
    expect(app.state.get()).toEqual({ status: 'idle' });
  });
});

describe('a page that was left', () => {
  /** A page that knows how to be hidden, and what was asked of it. */
  function keepable() {
    const asked: string[] = [];
    const page = (text: string): Page => ({
      bootstrap: async () => undefined,
      mount: async ({ domElement }) => {
        asked.push('mount');
        if (!domElement.hasChildNodes())
          domElement.append(Object.assign(document.createElement('input'), { title: text }));
      },
      hide: async () => void asked.push('hide'),
      unmount: async () => void asked.push('unmount'),
    });
    return { asked, page };
  }

  async function open(app: ModuleApp): Promise<HTMLInputElement> {
    app.attach(area);
    await app.lifecycles.mount();
    await settled();
    return area.querySelector('input') as HTMLInputElement;
  }

  async function leave(app: ModuleApp): Promise<void> {
    await app.lifecycles.unmount();
    app.attach(null);
    area = document.createElement('div');
  }

  it('is out of the document, and comes back as it was, without another load', async () => {
    const { page, asked } = keepable();
    const load = vi.fn(async () => page('tasks'));
    const app = appOf(load);
    const typed = await open(app);
    typed.value = 'ada';
    const left = area;
    await leave(app);
    expect(app.state.get()).toEqual({ status: 'kept' });
    expect(left.childElementCount).toBe(0);
    expect(situation.returns).toBe(0);
    const again = await open(app);
    expect(again).toBe(typed);
    expect(again.value).toBe('ada');
    expect(app.state.get()).toEqual({ status: 'ready' });
    expect(situation.returns).toBe(1);
    expect(asked).toEqual(['mount', 'hide', 'mount']);
    expect(load).toHaveBeenCalledOnce();
  });

  it('is taken away when it is not to be kept, and when single-spa unloads it', async () => {
    const { page, asked } = keepable();
    const app = appOf(async () => page('tasks'));
    situation.kept = false;
    await open(app);
    await leave(app);
    expect(app.state.get()).toEqual({ status: 'idle' });
    situation.kept = true;
    await open(app);
    await leave(app);
    await app.lifecycles.unload();
    await settled();
    expect(app.state.get()).toEqual({ status: 'idle' });
    expect(asked).toEqual(['mount', 'unmount', 'mount', 'hide', 'unmount']);
  });

  it('of a module that knows no hiding is taken away', async () => {
    const app = appOf(async () => showing('old'));
    await open(app);
    await leave(app);
    expect(app.state.get()).toEqual({ status: 'idle' });
  });

  it('gives way to a new version at the next visit', async () => {
    const { page } = keepable();
    let version = 'first';
    const app = appOf(async () => page(version));
    await open(app);
    await leave(app);
    version = 'second';
    situation.release = '2';
    expect((await open(app)).title).toBe('second');
    expect(area.childElementCount).toBe(1);
  });

  it('and fails while nobody looks is dropped: told of, and loaded anew at the next visit', async () => {
    let crash: (error: unknown) => void = () => undefined;
    const { page, asked } = keepable();
    const { mount } = page('');
    const load = vi.fn(async (_options: { fresh: boolean }) => ({
      ...page('tasks'),
      mount: async (props: MountProps) => {
        crash = props.onError;
        return mount(props);
      },
    }));
    const app = appOf(load);
    const before = await open(app);
    await leave(app);
    crash(new Error('late'));
    expect(app.state.get()).toEqual({ status: 'idle' });
    expect(reported).toHaveLength(1);
    expect(await open(app)).not.toBe(before);
    expect(load).toHaveBeenLastCalledWith({ fresh: true });
    expect(asked).toEqual(['mount', 'hide', 'unmount', 'mount']);
  });

  it('after it failed is no page to keep', async () => {
    const { page } = keepable();
    const app = appOf(async () => ({
      ...page(''),
      mount: async ({ onError }: MountProps) => onError(new Error('broken')),
    }));
    app.attach(area);
    await app.lifecycles.mount();
    await settled();
    expect(app.state.get()).toMatchObject({ status: 'failed' });
    await leave(app);
    expect(app.state.get()).toEqual({ status: 'idle' });
  });
});
