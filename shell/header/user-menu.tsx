import { useSession, useStore, useTabs, useTexts } from '@cord/sdk';
import { Avatar, Menu, MenuItem, MenuRule, VisuallyHidden } from '@cord/ui';
import { ChevronDown, LogOut, Orbit, SunMoon, User, Users } from 'lucide-react';
import { useShell } from '../app/shell-context';
import { SettingsAhead } from '../tabs/tab-link';
import { THEME_TEXTS } from '../theme/texts';
import { useThemeChoice } from '../theme/use-theme-choice';
import { MenuPerson } from './menu-person';
import { HEADER_TEXTS } from './texts';
import s from './user-menu.module.css';

/** Avatar and arrow; under it profile, invite, theme, motion and sign-out. */
export function UserMenu({ onSignOut }: { onSignOut: () => void }) {
  const t = useTexts(HEADER_TEXTS);
  const themes = useTexts(THEME_TEXTS);
  const { user } = useSession();
  const { appearance } = useShell();
  const { go } = useTabs();
  const { theme, next } = useThemeChoice();
  const liveMotion = useStore(appearance.liveMotion);
  if (user === null) return null;
  return (
    <Menu
      trigger={
        <button type="button" className={s.trigger} data-testid="user-menu">
          <VisuallyHidden>{t.menuOf({ name: user.username })}</VisuallyHidden>
          <Avatar name={user.username} src={user.avatar} size={32} />
          <ChevronDown size={18} aria-hidden="true" />
        </button>
      }
      head={<MenuPerson user={user} size={40} />}
    >
      <SettingsAhead />
      <MenuItem icon={<User />} onSelect={() => go('settings')}>
        {t.profile}
      </MenuItem>
      <MenuItem icon={<Users />} onSelect={() => go('referrals')}>
        {t.invite}
      </MenuItem>
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
      <MenuItem icon={<LogOut />} onSelect={onSignOut} testId="sign-out">
        {t.signOut}
      </MenuItem>
    </Menu>
  );
}
