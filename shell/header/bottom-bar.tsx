import { type TabId, useMiningSession, useTabs } from '@cord/sdk';
import { StatusDot, VisuallyHidden } from '@cord/ui';
import { Menu as MenuIcon } from 'lucide-react';
import { TabLink } from '../tabs/tab-link';
import { TAB_LABELS } from '../tabs/tab-state';
import s from './bottom-bar.module.css';
import { TAB_ICONS } from './tab-icons';

/** The tabs that have a place of their own; the others are in the sheet. */
export const BAR_TABS = ['dashboard', 'node', 'tasks', 'leaderboard'] as const satisfies readonly TabId[];

/** The bottom bar of screens under 1024 px. */
export function BottomBar({ onOpenMenu, menuOpen }: { onOpenMenu: () => void; menuOpen: boolean }) {
  const { current } = useTabs();
  const mining = useMiningSession()?.status === 'active';
  const elsewhere = !BAR_TABS.some((tab) => tab === current);
  return (
    <nav aria-label="Tabs" className={s.bar}>
      {BAR_TABS.map((tab) => {
        const Icon = TAB_ICONS[tab];
        return (
          <TabLink key={tab} tab={tab} className={s.item} data-testid={`tab-${tab}`}>
            <Icon size={20} aria-hidden="true" />
            <span className={s.word}>
              {TAB_LABELS[tab]}
              {tab === 'node' && mining && (
                <>
                  <StatusDot />
                  <VisuallyHidden>, node is online</VisuallyHidden>
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
        <span className={s.word}>Menu</span>
      </button>
    </nav>
  );
}
