import { nextDayStartMs } from '@cord/contracts/rules/days';
import { dateFormat, useRuleBook, useSdk, useServerNow, useSessionValue, useTexts } from '@cord/sdk';
import { Card, formatCount, formatDuration, Row, SkeletonRegion, Stack, TabErrorPanel } from '@cord/ui';
import { CircleCheck, Flame } from 'lucide-react';
import type { CSSProperties } from 'react';
import s from './checkin-card.module.css';
import { payText } from './pay-text';
import { CheckinRefused, PerformCheckin } from './perform-checkin';
import { StreakCalendar } from './streak-calendar';
import { fiveWeeks, sinceJoined, weeksSinceJoined } from './streak-days';
import { StreakLink, useStreakOpen } from './streak-link';
import { TEXTS } from './texts';
import type { CheckedDay, Checkin, CheckinStatus } from './use-checkin';

interface WeeksProps {
  status: CheckinStatus;
  history: readonly CheckedDay[];
  joinedMs: number;
}

function Weeks({ status, history, joinedMs }: WeeksProps) {
  const book = useRuleBook();
  return <StreakCalendar small weeks={sinceJoined(fiveWeeks(book, status, history, joinedMs))} />;
}

/** The daily check-in: streak, five weeks on a cord, today's button. */
export function CheckinCard({ checkin }: { checkin: Checkin }) {
  const t = useTexts(TEXTS);
  const { status, history, loadError } = checkin;
  const isClaimed = useSessionValue(({ user }) => user?.daily_checkin_claimed);
  const joinedAt = useSessionValue(({ user }) => user?.join_date);
  const joinedMs = joinedAt === undefined ? 0 : Date.parse(joinedAt);
  const weeks = weeksSinceJoined(joinedMs, useSdk().clock.now());
  const under = useStreakOpen();
  if (status === undefined) {
    return (
      <Card
        className={loadError === null ? (isClaimed ? s.claimedPlace : s.openPlace) : undefined}
        style={{ '--weeks': weeks } as CSSProperties}
      >
        {loadError === null ? (
          <SkeletonRegion heights={[112]} />
        ) : (
          <TabErrorPanel compact title={t.checkinLost} onRetry={checkin.reload} retrying={checkin.reloading}>
            {loadError}
          </TabErrorPanel>
        )}
      </Card>
    );
  }
  return (
    <Card className={s.card} aria-label={t.checkinTitle}>
      <div>
        <Row as="h2" gap={12} align="center" className="t-h2">
          <Flame size={24} className="c-accent" />
          {t.checkinTitle}
        </Row>
        <Row as="p" gap="0 8px" align="baseline" wrap className={s.streak}>
          <span className="t-n44" data-testid={under ? undefined : 'streak'} data-value={status.currentStreak}>
            {formatCount(status.currentStreak)}
          </span>
          <span className="t-unit">{t.streakDays({ count: status.currentStreak })}</span>
        </Row>
        <p className="t-label">{t.longest({ count: status.stats.longestStreak })}</p>
        <StreakLink className={s.link} />
      </div>
      {history === undefined ? (
        loadError === null ? (
          <SkeletonRegion heights={[20 + 26 * weeks]} />
        ) : (
          <TabErrorPanel compact title={loadError} onRetry={checkin.reload} retrying={checkin.reloading} />
        )
      ) : (
        <Weeks status={status} history={history} joinedMs={joinedMs} />
      )}
      <Today status={status} checkin={checkin} />
    </Card>
  );
}

const nextDay = dateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function Today({ status, checkin }: { status: CheckinStatus; checkin: Checkin }) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow(status.canCheckIn);
  if (!status.canCheckIn) {
    return (
      <Stack gap={8} align="center" className={s.today}>
        <Row as="p" gap={8} align="center" className="t-h3 c-live">
          <CircleCheck size={20} />
          {t.claimedToday}
        </Row>
        <p className="t-hint">{t.nextCheckin({ when: nextDay.format(Date.parse(status.nextCheckInTime)) })}</p>
      </Stack>
    );
  }
  const closesInMs = nextDayStartMs(Date.parse(`${status.dayKey}T00:00:00Z`)) - nowMs;
  return (
    <Stack gap={8} align="center" className={s.today}>
      <p className="t-body c-2">
        {t.checkinPays({ reward: payText(status.nextReward), bonus: payText(status.nextBonus) })}
      </p>
      <PerformCheckin status={status} checkin={checkin} />
      <p className="t-hint">{t.closes({ left: formatDuration(closesInMs) })}</p>
      <CheckinRefused checkin={checkin} />
    </Stack>
  );
}
