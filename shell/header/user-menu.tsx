import { Lazy, useSessionValue, useTexts } from '@cord/sdk';
import { Avatar, Menu, uiText, VisuallyHidden } from '@cord/ui';
import { ChevronDown } from 'lucide-react';
import { USER_MENU } from '../app/lazy-files';
import { APP_TEXTS } from '../app/texts';
import { MenuPerson } from './menu-person';
import { HEADER_TEXTS } from './texts';
import s from './user-menu.module.css';

/** Avatar and arrow; the menu loads at the first interaction with the page. */
export function UserMenu() {
  const t = useTexts(HEADER_TEXTS);
  const { menuFailed } = useTexts(APP_TEXTS);
  const name = useSessionValue(({ user }) => user?.username);
  const avatar = useSessionValue(({ user }) => user?.avatar) ?? null;
  if (name === undefined) return null;
  return (
    <Menu
      trigger={
        <button type="button" className={s.trigger} data-testid="user-menu">
          <VisuallyHidden>{t.menuOf({ name })}</VisuallyHidden>
          <Avatar name={name} src={avatar} size={32} />
          <ChevronDown size={18} />
        </button>
      }
      head={<MenuPerson size={40} />}
    >
      {({ MenuItem }) => (
        <Lazy
          of={USER_MENU}
          part="user-menu"
          failed={({ onRetry, reload }) => (
            <MenuItem
              keepOpen
              aside={reload ? uiText('reload') : undefined}
              onSelect={reload ? () => location.reload() : onRetry}
            >
              {menuFailed}
            </MenuItem>
          )}
        />
      )}
    </Menu>
  );
}

/** Avatar of small screens; it opens the same sheet as Menu in the bottom bar. */
export function MenuAvatar({ onOpen }: { onOpen: () => void }) {
  const t = useTexts(HEADER_TEXTS);
  const name = useSessionValue(({ user }) => user?.username);
  const avatar = useSessionValue(({ user }) => user?.avatar) ?? null;
  if (name === undefined) return null;
  return (
    <button type="button" className={s.trigger} onClick={onOpen}>
      <VisuallyHidden>{t.menuOf({ name })}</VisuallyHidden>
      <Avatar name={name} src={avatar} size={32} />
    </button>
  );
}
