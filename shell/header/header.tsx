import { Part, TABS, useMiningSession } from '@cord/sdk';
import { Logo, StatusDot, VisuallyHidden } from '@cord/ui';
import { ROOMY, useMediaQuery, WIDE } from '../app/media-query';
import { TabLink } from '../tabs/tab-link';
import { TAB_LABELS } from '../tabs/tab-state';
import { BarBalance } from './balance';
import s from './header.module.css';
import { MenuAvatar } from './menu-avatar';
import { UserMenu } from './user-menu';

interface HeaderProps {
  onSignOut: () => void;
  onOpenMenu: () => void;
}

/** The fixed header: all of it from 1024 px; below, logo, balance and avatar, whose sheet has the rest. */
export function Header({ onSignOut, onOpenMenu }: HeaderProps) {
  const wide = useMediaQuery(WIDE);
  const roomy = useMediaQuery(ROOMY);
  const named = useMediaQuery('(min-width: 360px)');
  return (
    <header className={s.header}>
      <div className={s.row}>
        <TabLink tab="dashboard" className={s.home}>
          <Logo size={28} word={named} />
        </TabLink>
        {wide && <Tabs />}
        <div className={s.right}>
          <BarBalance label={wide} />
          {wide && <Part name="wallet/wallet-button" size={roomy ? 'full' : 'compact'} />}
          {wide ? <UserMenu onSignOut={onSignOut} /> : <MenuAvatar onOpen={onOpenMenu} />}
        </div>
      </div>
    </header>
  );
}

function Tabs() {
  const mining = useMiningSession()?.status === 'active';
  return (
    <nav aria-label="Tabs" className={s.tabs}>
      {TABS.map((tab) => (
        <TabLink key={tab} tab={tab} className={s.tab} data-testid={`tab-${tab}`}>
          {TAB_LABELS[tab]}
          {tab === 'node' && mining && (
            <>
              <StatusDot />
              <VisuallyHidden>, node is online</VisuallyHidden>
            </>
          )}
        </TabLink>
      ))}
    </nav>
  );
}
