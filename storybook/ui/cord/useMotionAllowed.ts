import { useSyncExternalStore } from 'react';

const QUERY = '(prefers-reduced-motion: reduce)';

/**
 * Whether anything may move: not with reduced motion, and not with Live motion: Off, which the page writes as
 * `data-motion="off"` on its root element.
 */
export function useMotionAllowed(): boolean {
  return useSyncExternalStore(subscribe, allowed, () => true);
}

function subscribe(onChange: () => void): () => void {
  const media = typeof matchMedia === 'function' ? matchMedia(QUERY) : null;
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-motion'] });
  media?.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    media?.removeEventListener('change', onChange);
  };
}

function allowed(): boolean {
  if (document.documentElement.getAttribute('data-motion') === 'off') return false;
  return typeof matchMedia !== 'function' || !matchMedia(QUERY).matches;
}
