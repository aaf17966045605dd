import { type TabId, useTabs } from '@cord/sdk';
import type { ComponentProps, MouseEvent } from 'react';
import { MODULE_TAB, SETTINGS } from '../app/bundles';
import { fetchAhead } from '../app/later-bundle';
import { isModuleTab, MODULE_OF_TAB } from './module-tabs';
import { addressOfTab } from './tab-state';

/** A link to a tab: a plain click switches in place, any other opens the address as links do. Its module is fetched when pointed at. */
export function TabLink({ tab, onClick, ...rest }: { tab: TabId } & Omit<ComponentProps<'a'>, 'href'>) {
  const { current, go } = useTabs();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(tab);
  };
  return (
    <a
      {...rest}
      href={addressOfTab(tab, location)}
      aria-current={current === tab ? 'page' : undefined}
      onClick={follow}
      onPointerEnter={() => prefetchTab(tab)}
      onFocus={() => prefetchTab(tab)}
    />
  );
}

/** Loads a tab's page ahead of need, and what the shell shows it with; a failure is told by the real load. */
export function prefetchTab(tab: TabId): void {
  if (tab === 'settings') fetchAhead(SETTINGS);
  if (!isModuleTab(tab)) return;
  const module = MODULE_OF_TAB[tab];
  fetchAhead(MODULE_TAB);
  void import(/* webpackChunkName: 'module-loader' */ '../federation/module-loader').then(({ moduleLoader }) =>
    moduleLoader.prefetch(module, 'page'),
  );
}
