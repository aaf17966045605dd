import { createStore, type Store } from '@cord/sdk';
import type { TabId } from '@cord/sdk/host';
import { type ComponentType, createElement, type ReactElement } from 'react';
import { type LoadFailure, ModuleLoadError } from '../federation/load-errors';

/** State of a module's page: not loaded, loading, on screen, kept, or failed. */
export type PageState =
  | { status: 'idle' }
  | { status: 'loading' }
  | {
      status: 'shown' | 'kept';
      /** Stable element, so that a kept page does not render when it returns. */
      page: ReactElement;
      /** Build of the page. */
      release: string | null;
    }
  | { status: 'failed'; failure: LoadFailure; failures: number };

/** A module's page as single-spa mounts it; `module-pages.tsx` renders it. */
export interface ModuleApp {
  tab: TabId;
  state: Store<PageState>;
  /**
   * single-spa lifecycles. Each resolves at once, so that a slow or broken module delays no other tab. Unmounting
   * hides a kept page, unloading removes it.
   */
  lifecycles: {
    bootstrap(): Promise<void>;
    mount(): Promise<void>;
    unmount(): Promise<void>;
    unload(): Promise<void>;
  };
  /** The page is in the document. */
  rendered(): void;
  /** The page threw while rendering. */
  threw(error: unknown): void;
  /** Loads again after a failure. */
  retry(): void;
  /** Whether its build has been replaced. */
  isOutdated(): boolean;
  /** Called when the registry may have changed: a page that was switched off is removed at once, and returns when switched on. */
  applySwitch(): void;
}

interface ModuleAppDeps {
  tab: TabId;
  module: string;
  /** Loads `./page`; `fresh` after a failure. @throws ModuleLoadError */
  load(options: { fresh: boolean }): Promise<Record<string, unknown>>;
  /** Whether the code of the page is loaded. */
  isHere(): boolean;
  /** Whether an operator has switched the module off. */
  isOff(): boolean;
  /** Reads the registry. */
  refreshRegistry(): void;
  /** Build of the next load; a page of another build is replaced when its tab is visited. */
  release(): string | null;
  /** Whether the page is kept when its tab is left. */
  isKept(): boolean;
  report(error: ModuleLoadError): void;
}

/**
 * Creates the state of a module's page. single-spa serialises changes without a timeout, so nothing here may block:
 * mounting starts the load and returns. A token detects loads whose tab has changed meanwhile.
 */
export function createModuleApp(deps: ModuleAppDeps): ModuleApp {
  const { tab, module, load, isHere, isOff, refreshRegistry, release, isKept, report } = deps;
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
      // Loaded code renders in the first frame, without a skeleton.
      if (failures > 0 || !isHere()) state.set({ status: 'loading' });
      const page = createElement(pageOf(module, await load({ fresh: failures > 0 })));
      if (mine === token) state.set({ status: 'shown', page, release: release() });
    } catch (error) {
      if (mine === token) fail(error as ModuleLoadError);
    }
  }

  function fail(error: ModuleLoadError): void {
    // A switched-off module is not an error: it is not reported, and a reload does not help.
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
      if (isOff()) refreshRegistry();
      void begin();
    },
    isOutdated,
    applySwitch() {
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
