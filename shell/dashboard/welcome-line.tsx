import type { User } from '@cord/contracts/http/users';
import { dateFormat, formatTime, useServerNow, useSessionValue, useTexts } from '@cord/sdk';
import { formatRank, Row } from '@cord/ui';
import { Clock } from 'lucide-react';
import { DASHBOARD_TEXTS } from './texts';
import s from './welcome-line.module.css';

/** Maximum time between account creation and the login time of the first sign-in, ms. */
const FIRST_SIGN_IN_MS = 60_000;

/** Rank, name and the current time. */
export function WelcomeLine() {
  const t = useTexts(DASHBOARD_TEXTS);
  const user = useSessionValue(({ user }) => user);
  if (user === null) return null;
  const rank = user.rank === null ? t.unranked : t.rankIs({ rank: formatRank(user.rank) });
  return (
    <Row gap="8px 24px" align="flex-end" between wrap className={s.line}>
      <div className="l-narrow">
        <h1 className="t-h1 t-break" title={user.username}>
          {isFirstSignIn(user) ? t.welcome({ name: user.username }) : t.welcomeBack({ name: user.username })}
        </h1>
        <p className={s.text}>
          {rank}
          {hasDiscriminator(user) && (
            <>
              {' · '}
              <bdi>{user.username}</bdi>#{user.discriminator}
            </>
          )}
        </p>
      </div>
      <CurrentTime />
    </Row>
  );
}

/** Whether this is the user's first sign-in, which is greeted without "back". */
function isFirstSignIn({ join_date, last_login_time }: User): boolean {
  return Date.parse(last_login_time) - Date.parse(join_date) < FIRST_SIGN_IN_MS;
}

function CurrentTime() {
  const now = new Date(useServerNow());
  return (
    <p className={s.time}>
      <Clock size={18} />
      <time dateTime={now.toISOString()}>{formatMoment(now)}</time>
    </p>
  );
}

const weekday = dateFormat({ weekday: 'long' });
const day = dateFormat({ day: 'numeric', month: 'long', year: 'numeric' });

/** Formats `Saturday 21 November 2026, 11:03` in local time. */
function formatMoment(at: Date): string {
  return DASHBOARD_TEXTS.get().moment({
    weekday: weekday.format(at),
    day: day.format(at),
    time: formatTime(at.getTime()),
  });
}

/** Whether the account still has a discriminator of Discord; only then it is shown beside the name. */
function hasDiscriminator({ discriminator }: User): boolean {
  return discriminator !== null && discriminator !== '0';
}
