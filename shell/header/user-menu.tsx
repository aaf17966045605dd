import { useSession, useStore, useTabs } from '@cord/sdk';
import { Avatar, formatRank, Menu, MenuItem, MenuRule, VisuallyHidden } from '@cord/ui';
import { ChevronDown, LogOut, Orbit, SunMoon, User, Users } from 'lucide-react';
import { useShell } from '../app/shell-context';
import { THEME_LABELS } from '../theme/theme';
import { useThemeChoice } from '../theme/use-theme-choice';
import s from './user-menu.module.css';

/** Avatar and arrow; under it profile, invite, theme, motion and sign-out. */
export function UserMenu({ onSignOut }: { onSignOut: () => void }) {
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
          <VisuallyHidden>Menu of {user.username}</VisuallyHidden>
          <Avatar name={user.username} src={user.avatar} size={32} />
          <ChevronDown size={18} aria-hidden="true" />
        </button>
      }
      head={
        <div className={s.head}>
          <Avatar name={user.username} src={user.avatar} size={40} />
          <div className={s.names}>
            <p className={s.name} title={user.username}>
              {user.username}
            </p>
            <p className={s.rank}>Rank {formatRank(user.rank)}</p>
          </div>
        </div>
      }
    >
      <MenuItem icon={<User />} onSelect={() => go('settings')}>
        Profile and settings
      </MenuItem>
      <MenuItem icon={<Users />} onSelect={() => go('referrals')}>
        Invite friends
      </MenuItem>
      <MenuItem icon={<SunMoon />} aside={THEME_LABELS[theme]} keepOpen onSelect={next} testId="theme">
        Theme
      </MenuItem>
      <MenuItem
        icon={<Orbit />}
        aside={liveMotion ? 'On' : 'Off'}
        keepOpen
        onSelect={() => appearance.setLiveMotion(!liveMotion)}
        testId="live-motion"
      >
        Live motion
      </MenuItem>
      <MenuRule />
      <MenuItem icon={<LogOut />} onSelect={onSignOut} testId="sign-out">
        Sign Out
      </MenuItem>
    </Menu>
  );
}
