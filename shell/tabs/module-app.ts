import { createStore, type PageLifecycles, type Store } from '@cord/sdk';
import { asLoadError, type LoadFailure, ModuleLoadError } from '../federation/load-errors';
import { withTimeout } from '../federation/with-timeout';
import { layOutAhead, unveil } from './lay-out-ahead';

/** What the area of a module shows. */
export type AreaState =
  | { status: 'idle' }
  /** Not shown yet, and there at once when it is. */
  | { status: 'prepared' }
  | { status: 'loading' }
  | { status: 'ready' }
  | { status: 'failed'; failure: LoadFailure; failures: number };

/** One module's page as single-spa mounts it, and as the shell shows it. */
export interface ModuleApp {
  state: Store<AreaState>;
  /** single-spa lifecycles; each resolves at once, so that a slow or broken module holds up no other tab. */
  lifecycles: {
    bootstrap(): Promise<void>;
    mount(): Promise<void>;
    unmount(): Promise<void>;
  };
  /** The element that the area lends to the page, while it is on screen. */
  attach(element: HTMLElement | null): void;
  /** Loads anew after a failure. */
  retry(): void;
  /**
   * Loads and renders the page out of sight; a failure is told by the real load.
   * @param place where the page will stand, for a tab that is pointed at: it is laid out there
   */
  prepare(place: HTMLElement | null): Promise<void>;
  /** Forgets what was prepared: it was made for who was signed in. */
  discard(): void;
}

interface ModuleAppDeps {
  module: string;
  /** Loads `./page`; `fresh` after a failure. @throws ModuleLoadError */
  load(options: { fresh: boolean }): Promise<Record<string, unknown>>;
  report(error: ModuleLoadError): void;
}

/** How long a page may take to mount, and to leave, ms. */
const MOUNT_TIMEOUT_MS = 5_000;
const UNMOUNT_TIMEOUT_MS = 1_000;

interface Mounted {
  page: PageLifecycles;
  element: HTMLElement;
}

/**
 * The wrapper around a module's page. single-spa serialises its changes and has no timeout, so nothing in here makes it wait:
 * mounting starts the load and returns; a token tells a load that came too late that its tab has gone.
 */
export function createModuleApp({ module, load, report }: ModuleAppDeps): ModuleApp {
  const state = createStore<AreaState>({ status: 'idle' });
  let token = 0;
  let failures = 0;
  let area: HTMLElement | null = null;
  let wanted = false;
  let mounted: Mounted | null = null;
  let prepared: Mounted | null = null;

  async function show(mine: number): Promise<void> {
    if (!prepared?.element.hasChildNodes()) state.set({ status: 'loading' });
    try {
      const page = pageOf(module, await load({ fresh: failures > 0 }));
      if (mine !== token || area === null) return;
      await mountPage(page, area, mine);
    } catch (error) {
      if (mine === token) fail(asLoadError(module, error));
    }
  }

  async function mountPage(page: PageLifecycles, parent: HTMLElement, mine: number): Promise<void> {
    const element = takePrepared(page) ?? document.createElement('div');
    unveil(element);
    if (!element.isConnected) parent.append(element);
    mounted = { page, element };
    const onError = (error: unknown) => {
      if (mine === token) fail(new ModuleLoadError(module, 'render', 'the page threw', error));
    };
    const props = { domElement: element, onError };
    await withTimeout(
      page.bootstrap(props).then(() => page.mount(props)),
      MOUNT_TIMEOUT_MS,
      () => new ModuleLoadError(module, 'timeout', 'the page did not mount'),
    );
    // A page that threw while mounting has said so already, and failed.
    if (mine !== token || state.get().status === 'failed') return;
    failures = 0;
    state.set({ status: 'ready' });
  }

  function fail(error: ModuleLoadError): void {
    failures += 1;
    report(error);
    void remove();
    state.set({ status: 'failed', failure: error.failure, failures });
  }

  /** The element of the page made ahead, if it is of this page: a fresh load after a failure brings another. */
  function takePrepared(page: PageLifecycles): HTMLElement | null {
    const taken = prepared;
    prepared = null;
    if (taken === null) return null;
    if (taken.page.mount === page.mount) return taken.element;
    void leave(taken);
    return null;
  }

  async function prepare(place: HTMLElement | null): Promise<void> {
    if (prepared === null) await renderAhead();
    const mine = prepared;
    if (mine !== null && place !== null) layOutAhead(mine.element, place, () => prepared === mine);
  }

  async function renderAhead(): Promise<void> {
    if (wanted) return;
    const page = await load({ fresh: false }).then(
      (exposed) => pageOf(module, exposed),
      () => null,
    );
    if (page?.prepare === undefined || wanted || prepared !== null) return;
    const mine = { page, element: document.createElement('div') };
    prepared = mine;
    const onError = () => {
      if (prepared === mine) discard();
    };
    await page.prepare({ domElement: mine.element, onError });
    if (!wanted && prepared === mine) state.set({ status: 'prepared' });
  }

  function discard(): void {
    if (prepared !== null) void leave(prepared);
    prepared = null;
    if (state.get().status === 'prepared') state.set({ status: 'idle' });
  }

  async function remove(): Promise<void> {
    const leaving = mounted;
    mounted = null;
    if (leaving !== null) await leave(leaving);
  }

  async function leave({ page, element }: Mounted): Promise<void> {
    // React may be in the middle of the change that led here, and a root cannot be taken away within it.
    await Promise.resolve();
    const timeout = () => new ModuleLoadError(module, 'timeout', 'the page did not leave');
    await withTimeout(page.unmount({ domElement: element }), UNMOUNT_TIMEOUT_MS, timeout).catch((error: unknown) =>
      report(asLoadError(module, error)),
    );
    element.remove();
  }

  function begin(): void {
    if (!wanted || area === null) return;
    token += 1;
    // The tab may have come back before single-spa saw it leave: then the page's old place is gone.
    void remove();
    void show(token);
  }

  return {
    state,
    lifecycles: {
      bootstrap: async () => undefined,
      mount: async () => {
        wanted = true;
        begin();
      },
      unmount: async () => {
        wanted = false;
        token += 1;
        void remove();
        state.set({ status: 'idle' });
      },
    },
    attach(element) {
      if (element === area) return;
      area = element;
      if (element !== null) return begin();
      // A page laid out ahead does not stand in its area, and goes with it all the same.
      mounted?.element.remove();
    },
    retry: begin,
    prepare,
    discard,
  };
}

function pageOf(module: string, exposed: Record<string, unknown>): PageLifecycles {
  const { bootstrap, prepare, mount, unmount } = exposed as Partial<PageLifecycles>;
  if (bootstrap === undefined || mount === undefined || unmount === undefined) {
    throw new ModuleLoadError(module, 'exports', './page has no lifecycles');
  }
  return { bootstrap, ...(prepare && { prepare }), mount, unmount };
}
