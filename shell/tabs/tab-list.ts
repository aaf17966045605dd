import { useSessionValue, useTexts } from '@cord/sdk';
import { type TabId, textLanguage } from '@cord/sdk/host';
import { useMemo, useSyncExternalStore } from 'react';
import { byOrder, isOwnTab, type OwnTabId, type TabIconName, type Translated } from '../federation/entries';
import { usePublished } from '../federation/registry-context';
import { TAB_TEXTS } from './texts';

/** A tab in the page's list. */
export interface TabItem {
  id: TabId;
  /** Name in the current language. */
  name: string;
  icon: TabIconName;
  /** The module that provides the page; null for the shell's own. */
  module: string | null;
  /** Field of the user's record and the value that marks the tab, with the meaning of the mark. */
  badge: { field: string; is: boolean; words: string } | null;
  /** Name in the menu under the avatar; null when it is not listed there. */
  menu: string | null;
}

/** Order of the shell's own tabs among those of modules. */
const OWN = [
  { id: 'dashboard', icon: 'dashboard', order: 10 },
  { id: 'settings', icon: 'settings', order: 1_000 },
] as const satisfies readonly { id: OwnTabId; icon: string; order: number }[];

/** Returns the tabs of this user, in order. Hiding others is no access control. */
export function useTabList(): readonly TabItem[] {
  const { tabs } = usePublished();
  const t = useTexts(TAB_TEXTS);
  const language = useTextLanguage();
  const isAdmin = useSessionValue(({ user }) => user?.isAdmin === true);
  return useMemo(() => {
    const own = OWN.map((tab) => ({ ...tab, name: t[tab.id], module: null, badge: null, menu: null }));
    const brought = tabs
      .filter((tab) => tab.for !== 'admins' || isAdmin)
      .map(({ words, badge, menu, ...tab }) => ({
        ...tab,
        name: textIn(words, language),
        badge: badge && { ...badge, words: textIn(badge.words, language) },
        menu: menu && textIn(menu.words, language),
      }));
    return [...own, ...brought].sort(byOrder);
  }, [tabs, t, isAdmin, language]);
}

/** Returns the name of a tab; its id when unknown. */
export function useTabName(tab: TabId): string {
  const { tabs } = usePublished();
  const t = useTexts(TAB_TEXTS);
  const language = useTextLanguage();
  if (isOwnTab(tab)) return t[tab];
  const { words } = tabs.find(({ id }) => id === tab) ?? {};
  return words ? textIn(words, language) : tab;
}

/** Returns a text in the current language; English without a translation. */
export function useTextOf(words: Translated): string {
  return textIn(words, useTextLanguage());
}

function textIn(words: Translated, language: string): string {
  return words[language] ?? words.en;
}

function useTextLanguage(): string {
  return useSyncExternalStore(textLanguage.listen, textLanguage.get);
}
