// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReloadScroll, RESTORE_MS_MAX, type ReloadScroll } from './reload-scroll';

let y = 0;
/** Simulates growth of the page; null while nothing observes it. */
let grow: (() => void) | null = null;
let scroll: ReloadScroll;

beforeEach(() => {
  vi.useFakeTimers();
  y = 0;
  grow = null;
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => y);
  vi.spyOn(window, 'scrollTo').mockImplementation(((to: ScrollToOptions) => {
    y = to.top ?? 0;
  }) as typeof window.scrollTo);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(grown: () => void) {
        grow = grown;
      }
      observe() {}
      disconnect() {
        grow = null;
      }
    },
  );
});
afterEach(() => {
  scroll.stop();
});

/** Closes the page at this position and loads it again at its top. */
function reload(at: number, address = '/?tab=tasks'): void {
  history.replaceState(null, '', '/?tab=tasks');
  const before = createReloadScroll();
  y = at;
  window.dispatchEvent(new Event('pagehide'));
  before.stop();
  history.replaceState(null, '', address);
  y = 0;
  scroll = createReloadScroll();
}

it('the scroll position is restored each time the page grows', () => {
  reload(900);
  expect(history.scrollRestoration).toBe('manual');
  grow?.();
  expect(y).toBe(900);
  y = 400;
  grow?.();
  expect(y).toBe(900);
});

it.each(['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'])('the restoration stops on %s', (act) => {
  reload(900);
  window.dispatchEvent(new Event(act));
  expect(grow).toBeNull();
});

it('the restoration stops after its time limit, and when the tab changes', () => {
  reload(900);
  vi.advanceTimersByTime(RESTORE_MS_MAX);
  expect(grow).toBeNull();
  reload(900);
  expect(grow).not.toBeNull();
  scroll.giveUp();
  expect(grow).toBeNull();
});

it('a page that was at its top, or has another address, restores nothing', () => {
  reload(0);
  expect(grow).toBeNull();
  reload(900, '/?tab=node');
  expect(grow).toBeNull();
});
