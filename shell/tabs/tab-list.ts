import { useSessionValue, useTexts } from '@cord/sdk';
import { type TabId, textLanguage } from '@cord/sdk/host';
import { useMemo, useSyncExternalStore } from 'react';
import { byOrder, isOwnTab, type OwnTabId, type TabIconName, type Translated } from '../federation/entries';
import { usePublished } from '../federation/registry-context';
import { TAB_TEXTS } from './texts';

/** A tab as the page lists it. */
export interface TabItem {
  id: TabId;
  /** What it is called, in the language of the moment. */
  name: string;
  icon: TabIconName;
  /** The module whose page it is; null for the shell's own. */
  module: string | null;
  /** By which field of the user's record, true or false, it is marked, and what the mark stands for. */
  badge: { field: string; is: boolean; words: string } | null;
  /** What it is called in the menu under the avatar; null where it does not stand there. */
  menu: string | null;
}

/** Where the shell's own stand among those that modules bring. */
const OWN = [
  { id: 'dashboard', icon: 'dashboard', order: 10 },
  { id: 'settings', icon: 'settings', order: 1_000 },
] as const satisfies readonly { id: OwnTabId; icon: string; order: number }[];

/** The tabs of this user, in order. Those that are for others are left out, which hides them and protects nothing. */
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

/** What a tab is called; its id where nobody knows it. */
export function useTabName(tab: TabId): string {
  const { tabs } = usePublished();
  const t = useTexts(TAB_TEXTS);
  const language = useTextLanguage();
  if (isOwnTab(tab)) return t[tab];
  const { words } = tabs.find(({ id }) => id === tab) ?? {};
  return words ? textIn(words, language) : tab;
}

/** What a text is in a language; English where nobody has written it. */
export function useTextOf(words: Translated): string {
  return textIn(words, useTextLanguage());
}

function textIn(words: Translated, language: string): string {
  return words[language] ?? words[language.split('-')[0] ?? ''] ?? words.en;
}

function useTextLanguage(): string {
  return useSyncExternalStore(textLanguage.listen, textLanguage.get);
}
