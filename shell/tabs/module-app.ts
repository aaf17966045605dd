import { createStore, type Store } from '@cord/sdk';
import type { PageLifecycles, TabId } from '@cord/sdk/host';
import { asLoadError, type LoadFailure, ModuleLoadError } from '../federation/load-errors';
import { withTimeout } from '../federation/with-timeout';
import { createPageHost, type PageHost } from './page-host';

/** What the area of a module shows. */
export type AreaState =
  | { status: 'idle' }
  /** Left as it was, and there at once when its tab is shown again. */
  | { status: 'kept' }
  | { status: 'loading' }
  | { status: 'ready' }
  | { status: 'failed'; failure: LoadFailure; failures: number };

/** One module's page as single-spa mounts it, and as the shell shows it. */
export interface ModuleApp {
  state: Store<AreaState>;
  /**
   * single-spa lifecycles; each resolves at once, so that a slow or broken module holds up no other tab. Unmounting hides a page that is
   * to be kept, unloading takes it away.
   */
  lifecycles: {
    bootstrap(): Promise<void>;
    mount(): Promise<void>;
    unmount(): Promise<void>;
    unload(): Promise<void>;
  };
  /** The element that the area lends to the page, while it is on screen. */
  attach(element: HTMLElement | null): void;
  /** Loads anew after a failure. */
  retry(): void;
  /** Whether it is of a build that another one replaces. */
  isOutdated(): boolean;
  /** What is published, or switched off, may have changed: a page that is off gives way at once, and one that is on again comes back. */
  heedSwitch(): void;
}

interface ModuleAppDeps {
  tab: TabId;
  module: string;
  /** Loads `./page`; `fresh` after a failure. @throws ModuleLoadError */
  load(options: { fresh: boolean }): Promise<Record<string, unknown>>;
  /** Whether the code of the page has come already. */
  isHere(): boolean;
  /** Whether an operator has switched the module off. */
  isOff(): boolean;
  /** Asks what is published now. */
  lookAgain(): void;
  /** Which build of the module the next load gives; a page of another one gives way when its tab is visited. */
  release(): string | null;
  /** Whether the page stays as it is when its tab is left. */
  isKept(): boolean;
  /** A page that was kept is to be seen again, within the same frame. */
  onReturn(): void;
  report(error: ModuleLoadError): void;
}

/** How long a page may take to mount, and to leave, ms. */
const MOUNT_TIMEOUT_MS = 5_000;
const UNMOUNT_TIMEOUT_MS = 1_000;

interface Mounted {
  page: PageLifecycles;
  host: PageHost;
  /** Which build it is of. */
  release: string | null;
}

/**
 * The wrapper around a module's page. single-spa serialises its changes and has no timeout, so nothing in here makes it wait:
 * mounting starts the load and returns; a token tells a load that came too late that its tab has gone.
 */
export function createModuleApp({
  tab,
  module,
  load,
  isHere,
  isOff,
  lookAgain,
  release,
  isKept,
  onReturn,
  report,
}: ModuleAppDeps): ModuleApp {
  const state = createStore<AreaState>({ status: 'idle' });
  let token = 0;
  let failures = 0;
  let area: HTMLElement | null = null;
  let wanted = false;
  let mounted: Mounted | null = null;

  async function show(mine: number, place: HTMLElement): Promise<void> {
    const returns = mounted !== null;
    try {
      if (isOff()) throw new ModuleLoadError(module, 'off', 'switched off');
      if (mounted === null) {
        // What is here already is in the first frame: a skeleton before it would be made and drawn for nothing.
        if (failures > 0 || !isHere()) state.set({ status: 'loading' });
        const page = pageOf(module, await load({ fresh: failures > 0 }));
        if (mine !== token) return;
        mounted = { page, host: createPageHost(), release: release() };
      }
      await mount(mounted, place, mine);
      if (!returns || mine !== token || mounted === null) return;
      mounted.host.restoreScroll();
      onReturn();
    } catch (error) {
      if (mine === token) fail(asLoadError(module, error));
    }
  }

  async function mount(shown: Mounted, place: HTMLElement, mine: number): Promise<void> {
    const { page, host } = shown;
    host.attach(place);
    const props = {
      domElement: host.element,
      tab,
      onError: (error: unknown) => {
        if (shown === mounted) fail(new ModuleLoadError(module, 'render', 'the page threw', error));
      },
    };
    await withTimeout(
      page.bootstrap(props).then(() => page.mount(props)),
      MOUNT_TIMEOUT_MS,
      () => new ModuleLoadError(module, 'timeout', 'the page did not mount'),
    );
    // A page that threw while mounting has said so already, and failed.
    if (mine !== token || shown !== mounted) return;
    failures = 0;
    state.set({ status: 'ready' });
  }

  function fail(error: ModuleLoadError): void {
    // Switched off is no fault: it is neither told of nor better after a reload.
    if (error.failure !== 'off') {
      failures += 1;
      report(error);
    }
    void remove();
    state.set(wanted ? { status: 'failed', failure: error.failure, failures } : { status: 'idle' });
  }

  async function remove(): Promise<void> {
    const leaving = mounted;
    mounted = null;
    if (leaving === null) return;
    leaving.host.detach();
    // React may be in the middle of the change that led here, and a root cannot be taken away within it.
    await Promise.resolve();
    const timeout = () => new ModuleLoadError(module, 'timeout', 'the page did not leave');
    const { page, host } = leaving;
    await withTimeout(page.unmount({ domElement: host.element }), UNMOUNT_TIMEOUT_MS, timeout).catch((error: unknown) =>
      report(asLoadError(module, error)),
    );
  }

  /** Leaves the page as it is, outside of the document and with nothing of it running. */
  function hide({ page, host }: Mounted): void {
    host.detach();
    page.hide?.({ domElement: host.element, tab }).catch((error: unknown) => {
      report(asLoadError(module, error));
      void remove();
    });
    state.set({ status: 'kept' });
  }

  function isOutdated(): boolean {
    return mounted !== null && mounted.release !== release();
  }

  function heedSwitch(): void {
    const at = state.get();
    const saysOff = at.status === 'failed' && at.failure === 'off';
    if (isOff() === saysOff) return;
    token += 1;
    if (saysOff) begin();
    else if (mounted !== null || wanted) fail(new ModuleLoadError(module, 'off', 'switched off'));
  }

  function begin(): void {
    if (!wanted || area === null) return;
    token += 1;
    // The tab may have come back before single-spa saw it leave: then its page is ready, and only its place is another.
    const { status } = state.get();
    if ((status !== 'kept' && status !== 'ready') || isOutdated()) void remove();
    void show(token, area);
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
        if (state.get().status === 'ready' && mounted?.page.hide !== undefined && isKept()) return hide(mounted);
        void remove();
        state.set({ status: 'idle' });
      },
      unload: async () => {
        void remove();
        state.set({ status: 'idle' });
      },
    },
    attach(element) {
      if (element === area) return;
      area = element;
      if (element !== null) begin();
    },
    retry() {
      if (isOff()) lookAgain();
      begin();
    },
    isOutdated,
    heedSwitch,
  };
}

function pageOf(module: string, exposed: Record<string, unknown>): PageLifecycles {
  const { bootstrap, mount, hide, unmount } = exposed as Partial<PageLifecycles>;
  if (bootstrap === undefined || mount === undefined || unmount === undefined) {
    throw new ModuleLoadError(module, 'exports', './page has no lifecycles');
  }
  return { bootstrap, ...(hide && { hide }), mount, unmount };
}
