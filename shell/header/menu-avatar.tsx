import { useSessionValue, useTexts } from '@cord/sdk';
import { Avatar, VisuallyHidden } from '@cord/ui';
import { HEADER_TEXTS } from './texts';
import s from './user-menu.module.css';

/** The avatar of small screens: opens the same sheet as Menu in the bottom bar. */
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
