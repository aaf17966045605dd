import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { usePageTab } from './page-place';
import { useSdk } from './sdk';
import { type Store, useStore } from './store';

/** A tab: `dashboard` and `settings` are the shell's own, the others are those that modules bring; `dashboard` is the first and the fallback. */
export type TabId = string;

/** What each tab has of its state in the address: period, filter, search. What stands as it does by itself is left out. */
export type TabParams = Readonly<Partial<Record<TabId, Readonly<Record<string, string>>>>>;

/** The current tab is state of the shell, not a route. */
export interface Tabs {
  current: Store<TabId>;
  go(tab: TabId): void;
  params: Store<TabParams>;
  /** Keeps a value of a tab's state beside `?tab=`, without a step in the history; null takes it away. */
  setParam(tab: TabId, name: string, value: string | null): void;
}

/** Renders anew with each change of tab; who only leads to one takes `useSdk().tabs.go`. */
export function useTabs(): { current: TabId; go(tab: TabId): void } {
  const { tabs } = useSdk();
  return { current: useStore(tabs.current), go: tabs.go };
}

/** A value of this page's state that a link carries and Back brings again; null while it is not in the address. */
export function useTabParam(name: string): [string | null, (value: string | null) => void] {
  const { tabs } = useSdk();
  const pageTab = usePageTab();
  const tab = pageTab ?? tabs.current.get();
  const value = useStore(tabs.params)[tab]?.[name] ?? null;
  const set = useCallback((next: string | null) => tabs.setParam(tab, name, next), [tabs, tab, name]);
  return [value, set];
}

/** The same for one choice of several; what nobody offers is the first choice. */
export function useTabChoice<T extends string>(name: string, choices: readonly [T, ...T[]]): [T, (choice: T) => void] {
  const [value, set] = useTabParam(name);
  const [first] = choices;
  const choose = useCallback((choice: T) => set(choice === first ? null : choice), [set, first]);
  return [choices.find((choice) => choice === value) ?? first, choose];
}

/** How the shell keeps views in the browser's history. */
export interface ViewSteps {
  /** Sets a value of a tab's state, as a step in the history. */
  stepTo: Tabs['setParam'];
  /** Goes back over all views of the page. @returns false where there is none of ours to go back from */
  leaveViews(): boolean;
}

let steps: ViewSteps | null = null;

/** Without them (catalogue, tests) opening a view makes no step. */
export function setViewSteps(next: ViewSteps | null): void {
  steps = next;
}

/** A full view that lies in this page and stands in the address beside it: `?tab=leaderboard&miner=ID`. */
export interface TabView {
  /** Which one is open; null for the page itself. */
  value: string | null;
  /** Opens one, as a step in the history: Back leaves it. */
  open(value: string): void;
  /** Back to the page, where it was left. */
  close(): void;
  /** Its address, for links. */
  hrefOf(value: string): string;
}

/** Where a page was left for its view, and by which control: one for all who show or lead to that view. */
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
 * A view of this page by its name in the address. While one is open, which begins at its top and has the focus, the page's scroll is kept, and
 * what opened it: there the focus is again as it closes.
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
  // The same object while nothing of it changes: who is given it need not be drawn anew.
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
        // Without a step of ours somebody came by a link: then the page takes the view's place.
        if (!steps?.leaveViews()) tabs.setParam(tab, name, null);
      },
      hrefOf: (next) => `?${new URLSearchParams({ tab, ...params, [name]: next })}`,
    }),
    [tabs, tab, name, params, value, left],
  );
}

/** Once what changes stands on the page: the control, where it still does, else the page. */
function focusFor(control: HTMLElement | undefined): void {
  const page = document;
  requestAnimationFrame(() => {
    if (control?.isConnected) control.focus({ preventScroll: true });
    if (control === undefined || page.activeElement !== control)
      page.querySelector('main')?.focus({ preventScroll: true });
  });
}

/** All tabs' values with one of them changed; the same object where nothing changes. */
export function withParam(all: TabParams, tab: TabId, name: string, value: string | null): TabParams {
  const { [name]: before = null, ...others } = all[tab] ?? {};
  if (before === value) return all;
  return { ...all, [tab]: value === null ? others : { ...others, [name]: value } };
}
