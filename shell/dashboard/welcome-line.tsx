import type { User } from '@cord/contracts/http/users';
import { useServerNow, useSession } from '@cord/sdk';
import { formatRank } from '@cord/ui';
import { Clock } from 'lucide-react';
import s from './welcome-line.module.css';

/** The account is made during its first sign-in, moments before the login is noted. */
const FIRST_SIGN_IN_MS = 60_000;

/** Rank, name and the time of this minute (spec part 2). */
export function WelcomeLine() {
  const { user } = useSession();
  if (user === null) return null;
  const rank = user.rank === null ? 'Unranked' : `Rank ${formatRank(user.rank)}`;
  return (
    <div className={s.line}>
      <div className={s.words}>
        <h1 className={s.title} title={user.username}>
          {isFirstSignIn(user) ? 'Welcome' : 'Welcome back'}, {user.username}
        </h1>
        <p className={s.text}>
          {rank} · {fullName(user.username, user.discriminator)}
        </p>
      </div>
      <CurrentTime />
    </div>
  );
}

/** Until the next sign-in there is nothing to come back to. */
function isFirstSignIn({ join_date, last_login_time }: User): boolean {
  return Date.parse(last_login_time) - Date.parse(join_date) < FIRST_SIGN_IN_MS;
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
