import { useServerNow, useSession } from '@cord/sdk';
import {
  Button,
  Card,
  CheckInCord,
  formatCount,
  formatDuration,
  Skeleton,
  SkeletonRegion,
  TabErrorPanel,
} from '@cord/ui';
import { CircleCheck, Flame } from 'lucide-react';
import s from './checkin-card.module.css';
import { checkinKnots } from './checkin-knots';
import { TEXTS } from './texts';
import type { Checkin, CheckinStatus } from './use-checkin';

/** The daily check-in: streak, the week on a cord, today's button. */
export function CheckinCard({ checkin }: { checkin: Checkin }) {
  const { status, history, loadError } = checkin;
  const { user } = useSession();
  if (status === undefined) {
    return (
      <Card>
        {loadError === null ? (
          <SkeletonRegion>
            <Skeleton height={112} />
          </SkeletonRegion>
        ) : (
          <TabErrorPanel compact title={TEXTS.checkinLost} onRetry={checkin.reload}>
            {loadError}
          </TabErrorPanel>
        )}
      </Card>
    );
  }
  const joinedMs = user === null ? 0 : Date.parse(user.join_date);
  return (
    <Card className={s.card} aria-label={TEXTS.checkinTitle}>
      <div>
        <h2 className={s.title}>
          <Flame size={24} aria-hidden="true" />
          {TEXTS.checkinTitle}
        </h2>
        <p className={s.streak}>
          <span className="t-n44" data-testid="streak" data-value={status.currentStreak}>
            {formatCount(status.currentStreak)}
          </span>
          <span className="t-unit">{TEXTS.streakDays(status.currentStreak)}</span>
        </p>
        <p className="t-label">{TEXTS.longest(status.stats.longestStreak)}</p>
      </div>
      {history === undefined ? (
        <p className={s.error} role="alert">
          {loadError}
        </p>
      ) : (
        <CheckInCord knots={checkinKnots(status, history, joinedMs)} />
      )}
      <Today status={status} checkin={checkin} />
    </Card>
  );
}

const DAY_MS = 86_400_000;
const nextDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function Today({ status, checkin }: { status: CheckinStatus; checkin: Checkin }) {
  const nowMs = useServerNow(status.canCheckIn);
  if (!status.canCheckIn) {
    return (
      <div className={s.today}>
        <p className={s.claimed} role="status">
          <CircleCheck size={20} aria-hidden="true" />
          {TEXTS.claimedToday}
        </p>
        <p className="t-hint">{TEXTS.nextCheckin(nextDay.format(Date.parse(status.nextCheckInTime)))}</p>
      </div>
    );
  }
  const closesInMs = Date.parse(`${status.dayKey}T00:00:00Z`) + DAY_MS - nowMs;
  return (
    <div className={s.today}>
      <p className={s.pays}>{TEXTS.checkinPays(formatCount(status.nextReward), formatCount(status.nextBonus))}</p>
      <Button
        variant="primary"
        size="lg"
        block
        loading={checkin.performing}
        loadingText={TEXTS.checkingIn}
        onClick={checkin.perform}
      >
        {TEXTS.checkinFor(formatCount(status.nextReward + status.nextBonus))}
      </Button>
      <p className="t-hint">{TEXTS.closes(formatDuration(closesInMs))}</p>
      {checkin.performError !== null && <p className={s.error}>{checkin.performError}</p>}
    </div>
  );
}
