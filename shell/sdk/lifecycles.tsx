import type { ComponentType } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { AreaBoundary } from './area-boundary';
import { getSdk, SdkProvider } from './sdk';

/** What the shell's single-spa wrapper passes to a page. */
export interface PageProps {
  /** The element the page fills. */
  domElement: HTMLElement;
  /** Called when the page throws while rendering; the shell puts its error panel there. */
  onError?: (error: unknown) => void;
}

/** What `./page` of a module exports: single-spa lifecycles. */
export interface PageLifecycles {
  bootstrap(props: PageProps): Promise<void>;
  mount(props: PageProps): Promise<void>;
  unmount(props: PageProps): Promise<void>;
}

/** A page as single-spa lifecycles; by hand, because a root that throws under single-spa-react blocks every tab. */
export function lifecycles(Page: ComponentType): PageLifecycles {
  const roots = new WeakMap<HTMLElement, Root>();
  return {
    bootstrap: async () => undefined,
    async mount({ domElement, onError }) {
      const root = createRoot(domElement);
      roots.set(domElement, root);
      root.render(
        <SdkProvider sdk={getSdk()}>
          <AreaBoundary fallback={() => null} {...(onError ? { onError } : {})}>
            <Page />
          </AreaBoundary>
        </SdkProvider>,
      );
    },
    async unmount({ domElement }) {
      roots.get(domElement)?.unmount();
      roots.delete(domElement);
    },
  };
}
