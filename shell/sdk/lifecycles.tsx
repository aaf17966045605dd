import { Activity, type ComponentType, type ReactNode, startTransition, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { AreaBoundary } from './area-boundary';
import { PagePlace } from './page-place';
import { getSdk, SdkProvider } from './sdk';
import type { TabId } from './tabs';

/** What the shell's single-spa wrapper passes to a page. */
export interface PageProps {
  /** The element the page fills. */
  domElement: HTMLElement;
  /** The tab whose page it is. */
  tab?: TabId;
  /** Called when the page throws while rendering; the shell puts its error panel there. */
  onError?: (error: unknown) => void;
}

/** What `./page` of a module exports: single-spa lifecycles, and a way to keep the page for later. */
export interface PageLifecycles {
  bootstrap(props: PageProps): Promise<void>;
  /** Resolves when the page is on screen. */
  mount(props: PageProps): Promise<void>;
  /**
   * Keeps the page as it is for another `mount` into the same element; meanwhile nothing of it runs: no effect, and so no timer, listener or
   * request. A page may come without it, and is then taken away when its tab is left.
   */
  hide?(props: PageProps): Promise<void>;
  unmount(props: PageProps): Promise<void>;
}

/** A page as single-spa lifecycles; by hand, because a root that throws under single-spa-react blocks every tab. */
export function lifecycles(Page: ComponentType): Required<PageLifecycles> {
  const roots = new WeakMap<HTMLElement, Root>();
  // The same element each time, so that showing what was kept renders none of it anew.
  const page = <Page />;

  function contentOf({ onError, tab }: PageProps, mode: 'visible' | 'hidden', onCommit?: () => void): ReactNode {
    return (
      <SdkProvider sdk={getSdk()}>
        <PagePlace tab={tab ?? null} onScreen={mode === 'visible'}>
          <AreaBoundary fallback={() => null} {...(onError ? { onError } : {})}>
            <Activity mode={mode}>{page}</Activity>
          </AreaBoundary>
        </PagePlace>
        {onCommit && <Committed onCommit={onCommit} />}
      </SdkProvider>
    );
  }

  /** At a stroke and in this very task: between slices, frames would be made of what is about to go. */
  function show(props: PageProps, onCommit: () => void): void {
    const root = roots.get(props.domElement) ?? createRoot(props.domElement);
    roots.set(props.domElement, root);
    flushSync(() => root.render(contentOf(props, 'visible', onCommit)));
  }

  return {
    bootstrap: async () => undefined,
    mount: (props) => new Promise((resolve) => show(props, resolve)),
    async hide(props) {
      // Nobody sees it any more: after what is seen.
      startTransition(() => roots.get(props.domElement)?.render(contentOf(props, 'hidden')));
    },
    async unmount({ domElement }) {
      roots.get(domElement)?.unmount();
      roots.delete(domElement);
    },
  };
}

/** Tells that what stands beside it is there to be painted: a page that was kept is put where it was scrolled to in the same frame. */
function Committed({ onCommit }: { onCommit: () => void }) {
  useLayoutEffect(onCommit, [onCommit]);
  return null;
}
