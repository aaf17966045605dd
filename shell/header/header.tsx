import { ROOMY, useMediaQuery, useTexts, WIDE } from '@cord/sdk';
import { cx, Logo } from '@cord/ui';
import { Place } from '../parts/place';
import { TabLink } from '../tabs/tab-link';
import { useTabList } from '../tabs/tab-list';
import { TabMark } from '../tabs/tab-mark';
import { TAB_TEXTS } from '../tabs/texts';
import { BarBalance } from './balance';
import { BellPlace } from './bell-place';
import s from './header.module.css';
import { MenuAvatar, UserMenu } from './user-menu';

interface HeaderProps {
  onOpenMenu: () => void;
}

/** Maximum number of tabs at full width; operators and other teams' modules add more. */
const WIDE_TABS_MAX = 6;

/** The fixed header: complete from 1024 px; below that, logo, balance and avatar, whose sheet has the rest. */
export function Header({ onOpenMenu }: HeaderProps) {
  const wide = useMediaQuery(WIDE);
  const roomy = useMediaQuery(ROOMY);
  const named = useMediaQuery('(min-width: 22.5rem)');
  const vast = useMediaQuery('(min-width: 85rem)');
  const tight = useTabList().length > WIDE_TABS_MAX && wide;
  // With many tabs, texts that are shown elsewhere too are hidden.
  const wordy = !tight || vast;
  return (
    <header className={cx(s.header, tight && s.tight)}>
      <div className={s.row}>
        <TabLink tab="dashboard" className={s.home}>
          <Logo size={28} named={named && (!tight || roomy)} />
        </TabLink>
        {wide && <Tabs />}
        <div className={s.right}>
          <BarBalance label={wide && wordy} />
          {wide && <Place name="header.end" size={roomy && wordy ? 'full' : 'compact'} />}
          <BellPlace />
          {wide ? <UserMenu /> : <MenuAvatar onOpen={onOpenMenu} />}
        </div>
      </div>
    </header>
  );
}

function Tabs() {
  const t = useTexts(TAB_TEXTS);
  const tabs = useTabList();
  return (
    <nav aria-label={t.nav} className={s.tabs}>
      {tabs.map((tab) => (
        <TabLink key={tab.id} tab={tab.id} className={s.tab} data-testid={`tab-${tab.id}`}>
          {tab.name}
          <TabMark tab={tab} />
        </TabLink>
      ))}
    </nav>
  );
}
