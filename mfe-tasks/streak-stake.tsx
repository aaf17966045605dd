import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import { dayStartOf, nextDayStartMs } from '@cord/contracts/rules/days';
import { noticeChoice } from '@cord/contracts/rules/notices';
import {
  dateFormat,
  LedgerEntries,
  LIVE_SOON_MS,
  useQuery,
  useRuleBook,
  useSdk,
  useServerNow,
  useSettings,
  useTexts,
  useUserId,
  withNodes,
} from '@cord/sdk';
import { Card, cx, Fact, formatCord, formatCount, formatExact, formatSpan, LinkButton, Row, WhyNumber } from '@cord/ui';
import { Bell, CircleCheck, Clock, Flame } from 'lucide-react';
import { payText } from './pay-text';
import { CheckinRefused, PerformCheckin } from './perform-checkin';
import { fullFromDay, payOf } from './streak-days';
import s from './streak-stake.module.css';
import { TEXTS } from './texts';
import type { Checkin, CheckinStatus } from './use-checkin';
import { StreakWhy } from './whys';

const MINUTE_MS = 60_000;
/** Remaining time of the day from which its end is highlighted, ms. */
const NEAR_MS = 120 * MINUTE_MS;

/** Today's check-in: pay, deadline, and the outcome with and without it. */
export function StreakStake({ status, checkin }: { status: CheckinStatus; checkin: Checkin }) {
  const t = useTexts(TEXTS);
  const book = useRuleBook();
  const { currentStreak, canCheckIn, stats } = status;
  return (
    <Card className={s.stake}>
      <Row as="h2" gap={12} className="t-h2" align="center">
        <Flame size={22} />
        {canCheckIn ? t.todayOpen : t.todayDone}
      </Row>
      <div>
        {currentStreak === 0 ? (
          <>
            <p className="t-h3">{t.cardNoStreak}</p>
            <p className="t-label">{t.cardFirstDay({ amount: payText(payOf(book, 1)) })}</p>
          </>
        ) : (
          <Row as="p" gap="0 8px" align="baseline" wrap>
            <span className="t-n44" data-testid="streak" data-value={currentStreak}>
              {formatCount(currentStreak)}
            </span>
            <span className="t-unit">{t.streakDays({ count: currentStreak })}</span>
            <StreakWhy checkin={checkin} />
          </Row>
        )}
        <p className="t-label">{t.longest({ count: stats.longestStreak })}</p>
      </div>
      {canCheckIn ? <Open status={status} checkin={checkin} /> : <Done status={status} />}
      {canCheckIn && <h3 className={s.heading}>{t.atStake}</h3>}
      <dl>
        {canCheckIn && <AtStake status={status} />}
        <AllSoFar />
      </dl>
      {canCheckIn && <Reminder />}
    </Card>
  );
}

function Open({ status, checkin }: { status: CheckinStatus; checkin: Checkin }) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow(true);
  const leftMs = Math.max(0, nextDayStartMs(dayStartOf(status.dayKey)) - nowMs);
  const near = leftMs < NEAR_MS;
  const left = formatSpan(leftMs < MINUTE_MS ? leftMs : Math.floor(leftMs / MINUTE_MS) * MINUTE_MS);
  return (
    <div className={s.open}>
      <PerformCheckin status={status} checkin={checkin} />
      <p className="t-note">
        {withNodes(t.stakeCloses, {
          reward: payText(status.nextReward),
          bonus: payText(status.nextBonus),
          left: (
            <strong className={cx(s.left, near && s.near)}>
              {near && <Clock size={14} />}
              {left}
            </strong>
          ),
        })}
      </p>
      <CheckinRefused checkin={checkin} />
    </div>
  );
}

const opening = dateFormat({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

function Done({ status }: { status: CheckinStatus }) {
  const t = useTexts(TEXTS);
  return (
    <Row as="p" gap={8} align="center" className="t-note">
      <CircleCheck size={20} className="c-live" />
      <span>{t.nextCheckin({ when: opening.format(Date.parse(status.nextCheckInTime)) })}</span>
    </Row>
  );
}

function AtStake({ status: { currentStreak } }: { status: CheckinStatus }) {
  const t = useTexts(TEXTS);
  const day = currentStreak + 1;
  const book = useRuleBook();
  const firstDay = payText(payOf(book, 1));
  const back = Math.min(day + 1, fullFromDay(book));
  return (
    <>
      <Fact number className={s.fact} name={t.ifCheckIn}>
        {t.stakeKept({ day, amount: payText(payOf(book, day + 1)) })}
      </Fact>
      <Fact number className={s.fact} name={t.ifNot}>
        {currentStreak > 0 ? t.stakeLost({ day: 1, amount: firstDay }) : t.stakeNone({ amount: firstDay })}
      </Fact>
      {currentStreak > 0 && (
        <Fact number className={cx(s.fact, s.whole)} name={t.backTo({ amount: payText(payOf(book, back)) })}>
          {t.daysOf({ count: back })}
        </Fact>
      )}
    </>
  );
}

/** Pay of all check-ins, by the service's own sum. */
function AllSoFar() {
  const t = useTexts(TEXTS);
  const { api } = useSdk();
  const { checkinMicro, streakStepMicro, streakMostMicro } = useRuleBook();
  const cordOf = (micro: number) => formatExact(micro, 6);
  const numbers = { reward: cordOf(checkinMicro), step: cordOf(streakStepMicro), bonus: cordOf(streakMostMicro) };
  const userId = useUserId() ?? '';
  const { data } = useQuery({
    queryKey: ['checkin', userId, 'stats'],
    meta: { live: { checkin: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(checkinEndpoints.stats, { params: { userId }, signal }),
    enabled: userId !== '',
  });
  return (
    <Fact
      number
      className={cx(s.fact, s.whole)}
      name={
        <>
          {t.allCheckins}
          <WhyNumber
            about={t.allCheckins}
            formula={t.whyAllCheckins(numbers)}
            inputs={[{ label: t.whyCheckins, value: formatCount(data?.totalCheckIns) }]}
          >
            <LedgerEntries sources={['checkin']} />
          </WhyNumber>
        </>
      }
    >
      {t.cord({ amount: formatCord(data?.totalEarned) })}
    </Fact>
  );
}

/** When the reminder of an open day is sent, unless the user has switched it off. */
function Reminder() {
  const t = useTexts(TEXTS);
  const { go } = useSdk().tabs;
  const settings = useSettings().data;
  if (settings === undefined || noticeChoice(settings.notices, 'streak-closing') === 'off') return null;
  return (
    <p className={s.reminder}>
      <Bell size={18} />
      <span>
        {t.reminder} <LinkButton onClick={() => go('settings')}>{t.changeReminder}</LinkButton>
      </span>
    </p>
  );
}
