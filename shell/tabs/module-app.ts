import { createStore, type Store } from '@cord/sdk';
import type { TabId } from '@cord/sdk/host';
import { type ComponentType, createElement, type ReactElement } from 'react';
import { asLoadError, type LoadFailure, ModuleLoadError } from '../federation/load-errors';

/** Where a module's page is: not here, on its way, on screen, kept as it was left, or failed. */
export type PageState =
  | { status: 'idle' }
  | { status: 'loading' }
  | {
      status: 'shown' | 'kept';
      /** The same element each time, so that showing what was kept renders none of it anew. */
      page: ReactElement;
      /** Which build it is of. */
      release: string | null;
    }
  | { status: 'failed'; failure: LoadFailure; failures: number };

/** One module's page as single-spa mounts it; `module-pages.tsx` shows it. */
export interface ModuleApp {
  tab: TabId;
  state: Store<PageState>;
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
  /** The page is in the document. */
  rendered(): void;
  /** The page threw as it was rendered. */
  threw(error: unknown): void;
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
  /** Reads what is published now. */
  lookAgain(): void;
  /** Which build of the module the next load gives; a page of another one gives way when its tab is visited. */
  release(): string | null;
  /** Whether the page stays as it is when its tab is left. */
  isKept(): boolean;
  report(error: ModuleLoadError): void;
}

/**
 * The state of a module's page. single-spa serialises its changes and has no timeout, so nothing in here makes it wait: mounting starts
 * the load and returns; by a token a load that came too late finds that its tab has gone.
 */
export function createModuleApp(deps: ModuleAppDeps): ModuleApp {
  const { tab, module, load, isHere, isOff, lookAgain, release, isKept, report } = deps;
  const state = createStore<PageState>({ status: 'idle' });
  let token = 0;
  let failures = 0;
  let wanted = false;

  async function begin(): Promise<void> {
    if (!wanted) return;
    token += 1;
    const mine = token;
    const at = state.get();
    try {
      if (isOff()) throw new ModuleLoadError(module, 'off', 'switched off');
      if ('page' in at && !isOutdated()) return state.set({ ...at, status: 'shown' });
      // What is here already is in the first frame: a skeleton before it would be made and drawn for nothing.
      if (failures > 0 || !isHere()) state.set({ status: 'loading' });
      const page = createElement(pageOf(module, await load({ fresh: failures > 0 })));
      if (mine === token) state.set({ status: 'shown', page, release: release() });
    } catch (error) {
      if (mine === token) fail(asLoadError(module, error));
    }
  }

  function fail(error: ModuleLoadError): void {
    // Switched off is no fault: it is neither reported nor better after a reload.
    if (error.failure !== 'off') {
      failures += 1;
      report(error);
    }
    state.set(wanted ? { status: 'failed', failure: error.failure, failures } : { status: 'idle' });
  }

  function isOutdated(): boolean {
    const at = state.get();
    return 'page' in at && at.release !== release();
  }

  return {
    tab,
    state,
    lifecycles: {
      bootstrap: async () => undefined,
      mount: async () => {
        wanted = true;
        void begin();
      },
      unmount: async () => {
        wanted = false;
        token += 1;
        const at = state.get();
        state.set('page' in at && isKept() ? { ...at, status: 'kept' } : { status: 'idle' });
      },
      unload: async () => state.set({ status: 'idle' }),
    },
    rendered() {
      failures = 0;
    },
    threw(error) {
      token += 1;
      fail(new ModuleLoadError(module, 'render', 'the page threw', error));
    },
    retry() {
      if (isOff()) lookAgain();
      void begin();
    },
    isOutdated,
    heedSwitch() {
      const at = state.get();
      const isShownAsOff = at.status === 'failed' && at.failure === 'off';
      if (isOff() === isShownAsOff) return;
      token += 1;
      if (isShownAsOff) void begin();
      else if ('page' in at || wanted) fail(new ModuleLoadError(module, 'off', 'switched off'));
    },
  };
}

function pageOf(module: string, { Page }: Record<string, unknown>): ComponentType {
  if (typeof Page !== 'function') throw new ModuleLoadError(module, 'exports', './page exports no Page');
  return Page as ComponentType;
}
