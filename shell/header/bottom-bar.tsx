import { useTabs, useTexts } from '@cord/sdk';
import { TabIcon } from '@cord/ui';
import { Menu as MenuIcon } from 'lucide-react';
import { TabLink } from '../tabs/tab-link';
import { type TabItem, useTabList } from '../tabs/tab-list';
import { TabMark } from '../tabs/tab-mark';
import { TAB_TEXTS } from '../tabs/texts';
import s from './bottom-bar.module.css';
import { HEADER_TEXTS } from './texts';

/** Number of tabs in the bar; the others are in the sheet. */
const BAR_PLACES = 4;

/** Returns the tabs of the bottom bar. */
export function barTabs(all: readonly TabItem[]): readonly TabItem[] {
  return all.slice(0, BAR_PLACES);
}

/** Bottom bar of screens under 1024 px. */
export function BottomBar({ onOpenMenu, menuOpen }: { onOpenMenu: () => void; menuOpen: boolean }) {
  const t = useTexts(HEADER_TEXTS);
  const tabs = useTexts(TAB_TEXTS);
  const { current } = useTabs();
  const shown = barTabs(useTabList());
  const elsewhere = !shown.some(({ id }) => id === current);
  return (
    <nav aria-label={tabs.nav} className={s.bar}>
      {shown.map((tab) => (
        <TabLink key={tab.id} tab={tab.id} className={s.item} data-testid={`tab-${tab.id}`}>
          <TabIcon icon={tab.icon} size={20} />
          <span className={s.text}>
            {tab.name}
            <TabMark tab={tab} />
          </span>
        </TabLink>
      ))}
      <button
        type="button"
        className={s.item}
        aria-haspopup="dialog"
        aria-expanded={menuOpen}
        aria-current={elsewhere ? 'true' : undefined}
        onClick={onOpenMenu}
        data-testid="menu"
      >
        <MenuIcon size={20} />
        <span className={s.text}>{t.menu}</span>
      </button>
    </nav>
  );
}
