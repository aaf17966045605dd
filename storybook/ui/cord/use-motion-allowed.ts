import { useSyncExternalStore } from 'react';

const QUERY = '(prefers-reduced-motion: reduce)';

/**
 * Whether animations may run: not with reduced motion, not with Live motion: Off, which the page writes as
 * `data-motion="off"` on its root element, and not while numbers are stale (`data-stale`).
 */
export function useMotionAllowed(): boolean {
  return useSyncExternalStore(subscribe, allowed, () => true);
}

function subscribe(onChange: () => void): () => void {
  const media = typeof matchMedia === 'function' ? matchMedia(QUERY) : null;
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-motion', 'data-stale'] });
  media?.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    media?.removeEventListener('change', onChange);
  };
}

function allowed(): boolean {
  const root = document.documentElement;
  if (root.getAttribute('data-motion') === 'off' || root.hasAttribute('data-stale')) return false;
  return typeof matchMedia !== 'function' || !matchMedia(QUERY).matches;
}
