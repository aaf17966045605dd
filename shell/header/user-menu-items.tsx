import { useSdk, useStore, useTexts } from '@cord/sdk';
import { TabIcon } from '@cord/ui';
import { MenuItem, MenuRule } from '@cord/ui/overlays';
import { LogOut, Orbit, SunMoon, User } from 'lucide-react';
import { useShell } from '../app/shell-context';
import { SettingsAhead } from '../tabs/tab-link';
import { useTabList } from '../tabs/tab-list';
import { THEME_TEXTS } from '../theme/texts';
import { useThemeChoice } from '../theme/use-theme-choice';
import { HEADER_TEXTS } from './texts';

/** Menu under the avatar: profile, modules' tabs, theme, motion and sign-out. */
export function UserMenuItems() {
  const t = useTexts(HEADER_TEXTS);
  const themes = useTexts(THEME_TEXTS);
  const { appearance, signingOut } = useShell();
  const { go } = useSdk().tabs;
  const tabs = useTabList().filter(({ menu }) => menu !== null);
  const { theme, next } = useThemeChoice();
  const liveMotion = useStore(appearance.liveMotion);
  return (
    <>
      <SettingsAhead />
      <MenuItem icon={<User />} onSelect={() => go('settings')}>
        {t.profile}
      </MenuItem>
      {tabs.map(({ id, icon, menu }) => (
        <MenuItem key={id} icon={<TabIcon icon={icon} />} onSelect={() => go(id)}>
          {menu}
        </MenuItem>
      ))}
      <MenuItem icon={<SunMoon />} aside={themes[theme]} keepOpen onSelect={next} testId="theme">
        {themes.theme}
      </MenuItem>
      <MenuItem
        icon={<Orbit />}
        aside={liveMotion ? themes.on : themes.off}
        keepOpen
        onSelect={() => appearance.setLiveMotion(!liveMotion)}
        testId="live-motion"
      >
        {themes.liveMotion}
      </MenuItem>
      <MenuRule />
      <MenuItem icon={<LogOut />} onSelect={() => signingOut.set(true)} testId="sign-out">
        {t.signOut}
      </MenuItem>
    </>
  );
}
