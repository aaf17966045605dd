import type { User } from '@cord/contracts/http/users';
import { useTexts } from '@cord/sdk';
import { Avatar, formatRank } from '@cord/ui';
import s from './menu-person.module.css';
import { HEADER_TEXTS } from './texts';

/** Whose menu it is: picture, name and rank. */
export function MenuPerson({ user, size }: { user: User; size: 40 | 44 }) {
  const t = useTexts(HEADER_TEXTS);
  return (
    <div className={s.head}>
      <Avatar name={user.username} src={user.avatar} size={size} />
      <div className={s.names}>
        <p className={s.name} title={user.username}>
          {user.username}
        </p>
        <p className={s.rank}>{user.rank === null ? t.unranked : t.rank({ rank: formatRank(user.rank) })}</p>
      </div>
    </div>
  );
}
