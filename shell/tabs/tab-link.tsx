import { useSdk, useStore, useTabs } from '@cord/sdk';
import type { TabId } from '@cord/sdk/host';
import { type ComponentProps, type MouseEvent, useEffect } from 'react';
import { fetchSettings } from '../app/lazy-files';
import { addressOfTab } from './tab-state';

/** A link to a tab: a plain click switches in place, any other opens the address as links do. */
export function TabLink({ tab, onClick, ...rest }: { tab: TabId } & Omit<ComponentProps<'a'>, 'href'>) {
  const { current, go } = useTabs();
  const params = useStore(useSdk().tabs.params);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(tab);
  };
  return (
    <a
      {...rest}
      href={addressOfTab(tab, params)}
      aria-current={current === tab ? 'page' : undefined}
      onClick={follow}
      {...(tab === 'settings' ? { onPointerEnter: fetchSettings, onFocus: fetchSettings } : {})}
    />
  );
}

/** Fetches the settings while a menu that leads there is open. */
export function SettingsAhead() {
  useEffect(fetchSettings, []);
  return null;
}
