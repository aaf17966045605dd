import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { usePageTab } from './page-place';
import { useSdk } from './sdk';
import { type Store, useStore } from './store';

/** A tab: `dashboard` and `settings` are the shell's, the others come from modules; `dashboard` is the first and the fallback. */
export type TabId = string;

/** State of each tab in the address: period, filter, search. Defaults are left out. */
export type TabParams = Readonly<Partial<Record<TabId, Readonly<Record<string, string>>>>>;

/** The current tab is state of the shell, not a route. */
export interface Tabs {
  current: Store<TabId>;
  go(tab: TabId): void;
  params: Store<TabParams>;
  /** Sets a value of a tab beside `?tab=`, without a history entry; null removes it. */
  setParam(tab: TabId, name: string, value: string | null): void;
}

/** Renders on each tab change; a component that only links to a tab uses `useSdk().tabs.go`. */
export function useTabs(): { current: TabId; go(tab: TabId): void } {
  const { tabs } = useSdk();
  return { current: useStore(tabs.current), go: tabs.go };
}

/** A value of this page in the address, for links and Back; null when it is absent. */
export function useTabParam(name: string): [string | null, (value: string | null) => void] {
  const { tabs } = useSdk();
  const pageTab = usePageTab();
  const tab = pageTab ?? tabs.current.get();
  const value = useStore(tabs.params)[tab]?.[name] ?? null;
  const set = useCallback((next: string | null) => tabs.setParam(tab, name, next), [tabs, tab, name]);
  return [value, set];
}

/** As `useTabParam` for one of several choices; an unknown value becomes the first choice. */
export function useTabChoice<T extends string>(name: string, choices: readonly [T, ...T[]]): [T, (choice: T) => void] {
  const [value, set] = useTabParam(name);
  const [first] = choices;
  const choose = useCallback((choice: T) => set(choice === first ? null : choice), [set, first]);
  return [choices.find((choice) => choice === value) ?? first, choose];
}

/** Keeps views in the browser's history. */
export interface ViewSteps {
  /** Sets a value of a tab as a history entry. */
  stepTo: Tabs['setParam'];
  /** Goes back over all views of the page. @returns false when there is no entry to go back from */
  leaveViews(): boolean;
}

let steps: ViewSteps | null = null;

/** Without it (catalogue, tests) opening a view adds no history entry. */
export function setViewSteps(next: ViewSteps | null): void {
  steps = next;
}

/** A full view within this page, stored in the address: `?tab=leaderboard&miner=ID`. */
export interface TabView {
  /** The open view; null for the page itself. */
  value: string | null;
  /** Opens a view as a history entry; Back closes it. */
  open(value: string): void;
  /** Returns to the page at its previous scroll position. */
  close(): void;
  /** Address of a view, for links. */
  hrefOf(value: string): string;
}

/** Scroll position and control from which a view was opened, shared by all components of the view. */
interface Left {
  y: number;
  opener: WeakRef<HTMLElement> | null;
}

const leftBy = new WeakMap<Tabs, Map<string, Left>>();

function leftFor(tabs: Tabs, tab: TabId, name: string): Left {
  const views = leftBy.get(tabs) ?? new Map<string, Left>();
  leftBy.set(tabs, views);
  const left = views.get(`${tab} ${name}`) ?? { y: 0, opener: null };
  views.set(`${tab} ${name}`, left);
  return left;
}

/**
 * Returns a view of this page by its name in the address. An open view starts at its top with focus; on close, the
 * page's scroll position and the focus of the opening control return.
 */
export function useTabView(name: string): TabView {
  const { tabs } = useSdk();
  const pageTab = usePageTab();
  const tab = pageTab ?? tabs.current.get();
  const params = useStore(tabs.params)[tab];
  const value = params?.[name] ?? null;
  const left = leftFor(tabs, tab, name);
  const shown = useRef(value);
  useLayoutEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    window.scrollTo(0, value === null ? left.y : 0);
    focusFor(value === null ? left.opener?.deref() : undefined);
  }, [value, left]);
  // Stable while nothing changes, so that consumers do not render again.
  return useMemo(
    () => ({
      value,
      open(next) {
        if (value === null) {
          left.y = window.scrollY;
          const { activeElement } = document;
          left.opener = activeElement instanceof HTMLElement ? new WeakRef(activeElement) : null;
        }
        (steps?.stepTo ?? tabs.setParam)(tab, name, next);
      },
      close() {
        // Without a history entry the view was opened by a link: then the page replaces it.
        if (!steps?.leaveViews()) tabs.setParam(tab, name, null);
      },
      hrefOf: (next) => `?${new URLSearchParams({ tab, ...params, [name]: next })}`,
    }),
    [tabs, tab, name, params, value, left],
  );
}

/** Focuses the control after the render if it still exists, else the page. */
function focusFor(control: HTMLElement | undefined): void {
  const page = document;
  requestAnimationFrame(() => {
    if (control?.isConnected) control.focus({ preventScroll: true });
    if (control === undefined || page.activeElement !== control)
      page.querySelector('main')?.focus({ preventScroll: true });
  });
}

/** Returns the values of all tabs with one changed; the same object when nothing changes. */
export function withParam(all: TabParams, tab: TabId, name: string, value: string | null): TabParams {
  const { [name]: before = null, ...others } = all[tab] ?? {};
  if (before === value) return all;
  return { ...all, [tab]: value === null ? others : { ...others, [name]: value } };
}
