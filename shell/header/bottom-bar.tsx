import { useMiningSession, useTabs, useTexts } from '@cord/sdk';
import type { TabId } from '@cord/sdk/host';
import { StatusDot, VisuallyHidden } from '@cord/ui';
import { Menu as MenuIcon } from 'lucide-react';
import { TabLink } from '../tabs/tab-link';
import { TAB_TEXTS } from '../tabs/texts';
import s from './bottom-bar.module.css';
import { TAB_ICONS } from './tab-icons';
import { HEADER_TEXTS } from './texts';

/** The tabs that have a place of their own; the others are in the sheet. */
export const BAR_TABS = ['dashboard', 'node', 'tasks', 'leaderboard'] as const satisfies readonly TabId[];

/** The bottom bar of screens under 1024 px. */
export function BottomBar({ onOpenMenu, menuOpen }: { onOpenMenu: () => void; menuOpen: boolean }) {
  const t = useTexts(HEADER_TEXTS);
  const tabs = useTexts(TAB_TEXTS);
  const { current } = useTabs();
  const mining = useMiningSession()?.status === 'active';
  const elsewhere = !BAR_TABS.some((tab) => tab === current);
  return (
    <nav aria-label={tabs.nav} className={s.bar}>
      {BAR_TABS.map((tab) => {
        const Icon = TAB_ICONS[tab];
        return (
          <TabLink key={tab} tab={tab} className={s.item} data-testid={`tab-${tab}`}>
            <Icon size={20} aria-hidden="true" />
            <span className={s.word}>
              {tabs[tab]}
              {tab === 'node' && mining && (
                <>
                  <StatusDot />
                  <VisuallyHidden>{tabs.nodeOnline}</VisuallyHidden>
                </>
              )}
            </span>
          </TabLink>
        );
      })}
      <button
        type="button"
        className={s.item}
        aria-haspopup="dialog"
        aria-expanded={menuOpen}
        aria-current={elsewhere ? 'true' : undefined}
        onClick={onOpenMenu}
        data-testid="menu"
      >
        <MenuIcon size={20} aria-hidden="true" />
        <span className={s.word}>{t.menu}</span>
      </button>
    </nav>
  );
}
