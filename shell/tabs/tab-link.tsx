import { useStore } from '@cord/sdk';
import { type TabId, withParam } from '@cord/sdk/host';
import { type ComponentProps, type MouseEvent, useEffect } from 'react';
import { fetchSettings } from '../app/lazy-files';
import { useShell } from '../app/shell-context';
import { addressOfTab } from './tab-state';

interface TabLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  tab: TabId;
  /** View of the tab to open; without it the tab opens as it was left. */
  view?: string | undefined;
}

/** A link to a tab: a plain click switches in place, any other opens the address. */
export function TabLink({ tab, view, onClick, ...rest }: TabLinkProps) {
  const { tabs } = useShell();
  const current = useStore(tabs.current);
  const asLeft = useStore(tabs.params);
  const params = view === undefined ? asLeft : withParam(asLeft, tab, 'view', view);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (view === undefined) tabs.go(tab);
    else tabs.goToView(tab, view);
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

/** Preloads the settings while a menu with a link to them is open. */
export function SettingsAhead() {
  useEffect(fetchSettings, []);
  return null;
}
