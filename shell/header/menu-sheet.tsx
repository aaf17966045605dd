import { useSdk, useStore, useTabs, useTexts, useUserId } from '@cord/sdk';
import type { TabId } from '@cord/sdk/host';
import { Row, TabIcon } from '@cord/ui';
import { Sheet, SheetItem, SheetRule } from '@cord/ui/overlays';
import { Check, LogOut, Orbit, SunMoon } from 'lucide-react';
import { memo, useDeferredValue } from 'react';
import type { Overlay } from '../app/lazy-overlay';
import { useShell } from '../app/shell-context';
import { Place } from '../parts/place';
import { SettingsAhead } from '../tabs/tab-link';
import { useTabList } from '../tabs/tab-list';
import { THEME_TEXTS } from '../theme/texts';
import { useThemeChoice } from '../theme/use-theme-choice';
import { BarBalance } from './balance';
import { barTabs } from './bottom-bar';
import { MenuPerson } from './menu-person';
import s from './menu-sheet.module.css';
import { HEADER_TEXTS } from './texts';

/** Sheet of small screens: balance, wallet, tabs, theme, motion, sign-out. */
export function MenuSheet({ open, onOpenChange }: Overlay) {
  const t = useTexts(HEADER_TEXTS);
  const userId = useUserId();
  // Deferred, so that the target of a tap renders first while the sheet closes.
  const current = useDeferredValue(useTabs().current);
  if (userId === null) return null;
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t.menu} testId="menu-sheet" head={<MenuPerson size={44} />}>
      <Rows current={current} onOpenChange={onOpenChange} />
    </Sheet>
  );
}

interface RowsProps extends Omit<Overlay, 'open'> {
  current: TabId;
}

const Rows = memo(function Rows({ current, onOpenChange }: RowsProps) {
  const t = useTexts(HEADER_TEXTS);
  const { appearance, signingOut } = useShell();
  const { theme, next } = useThemeChoice();
  const themes = useTexts(THEME_TEXTS);
  const liveMotion = useStore(appearance.liveMotion);
  return (
    <>
      <SettingsAhead />
      <Row gap={12} align="center" between wrap className={s.money}>
        <BarBalance label stacked named={false} onOpen={() => onOpenChange(false)} />
        <Place name="header.end" />
      </Row>
      <TabRows current={current} onOpenChange={onOpenChange} />
      <SheetRule />
      <SheetItem icon={<SunMoon />} aside={themes[theme]} onClick={next}>
        {themes.theme}
      </SheetItem>
      <SheetItem
        icon={<Orbit />}
        aside={liveMotion ? themes.on : themes.off}
        onClick={() => appearance.setLiveMotion(!liveMotion)}
      >
        {themes.liveMotion}
      </SheetItem>
      <SheetItem
        icon={<LogOut />}
        onClick={() => {
          onOpenChange(false);
          signingOut.set(true);
        }}
        data-testid="sign-out"
      >
        {t.signOut}
      </SheetItem>
    </>
  );
});

function TabRows({ current, onOpenChange }: RowsProps) {
  const t = useTexts(HEADER_TEXTS);
  const tabs = useTabList();
  const inBar = barTabs(tabs);
  const { go } = useSdk().tabs;
  return (
    <nav aria-label={t.allTabs}>
      {tabs.map((tab) => (
        <SheetItem
          key={tab.id}
          icon={<TabIcon icon={tab.icon} />}
          current={current === tab.id}
          aside={current === tab.id ? <Check size={20} /> : tab.module && <Place name="tab.aside" of={tab.module} />}
          onClick={() => {
            onOpenChange(false);
            go(tab.id);
          }}
          // The test ids of the other tabs are in the bottom bar.
          data-testid={inBar.includes(tab) ? undefined : `tab-${tab.id}`}
        >
          {tab.name}
        </SheetItem>
      ))}
    </nav>
  );
}
