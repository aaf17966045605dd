import { useServerNow, useSession, useStore } from '@cord/sdk';
import { formatRank } from '@cord/ui';
import { Clock } from 'lucide-react';
import { useShell } from '../app/shell-context';
import s from './welcome-line.module.css';

/** Rank, name and the time of this minute (spec part 2). */
export function WelcomeLine() {
  const { user } = useSession();
  const { startup } = useShell();
  const isNew = useStore(startup.welcome)?.isNewUser ?? false;
  if (user === null) return null;
  const rank = user.rank === null ? 'Unranked' : `Rank ${formatRank(user.rank)}`;
  return (
    <div className={s.line}>
      <div className={s.words}>
        <h1 className={s.title} title={user.username}>
          {isNew ? 'Welcome' : 'Welcome back'}, {user.username}
        </h1>
        <p className={s.text}>
          {rank} · {fullName(user.username, user.discriminator)}
        </p>
      </div>
      <CurrentTime />
    </div>
  );
}

function CurrentTime() {
  const now = new Date(useServerNow());
  return (
    <p className={s.time}>
      <Clock size={18} aria-hidden="true" />
      <time dateTime={now.toISOString()}>{formatMoment(now)}</time>
    </p>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `Saturday 21 November 2026, 11:03`, in the time of this device. */
function formatMoment(at: Date): string {
  return `${day.format(at).replace(',', '')}, ${hour.format(at)}`;
}

/** Discord's discriminator is shown only where an account still has one (decisions, Interface). */
function fullName(username: string, discriminator: string | null): string {
  return discriminator === null || discriminator === '0' ? username : `${username}#${discriminator}`;
}
