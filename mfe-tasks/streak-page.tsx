import { DAY_MS, dayStartOf } from '@cord/contracts/rules/days';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { dateFormat, type TabView, usePageTitle, useRuleBook, useSessionValue, useTexts } from '@cord/sdk';
import {
  BackButton,
  Badge,
  Card,
  CordLine,
  cx,
  PageHead,
  Row,
  Skeleton,
  SkeletonRegion,
  TabErrorPanel,
  ViewPage,
} from '@cord/ui';
import { Check } from 'lucide-react';
import { payText } from './pay-text';
import { Knot, StreakCalendar } from './streak-calendar';
import { fiveWeeks, fullFromDay, MILESTONES, type Milestone, milestonesOf, payOf } from './streak-days';
import s from './streak-page.module.css';
import { StreakStake } from './streak-stake';
import { TEXTS } from './texts';
import { type CheckedDay, type Checkin, type CheckinStatus, useCheckin } from './use-checkin';

const LEGEND = ['done', 'today', 'missed', 'excused', 'next'] as const;
const date = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Today's pay and deadline, five weeks, milestones: `?tab=tasks&view=streak`. */
export function StreakPage({ view }: { view: Pick<TabView, 'close'> }) {
  const t = useTexts(TEXTS);
  const checkin = useCheckin();
  usePageTitle(t.streakTitle);
  return (
    <ViewPage>
      <PageHead title={t.streakTitle} back={<BackButton onClick={view.close}>{t.title}</BackButton>}>
        {t.streakSubtitle}
      </PageHead>
      <Streak checkin={checkin} />
    </ViewPage>
  );
}

function Streak({ checkin }: { checkin: Checkin }) {
  const t = useTexts(TEXTS);
  const book = useRuleBook();
  const { status, history, loadError } = checkin;
  const joinedAt = useSessionValue(({ user }) => user?.join_date);
  if (status === undefined || history === undefined) {
    if (loadError === null) return <Loading />;
    return (
      <TabErrorPanel title={t.checkinLost} onRetry={checkin.reload} retrying={checkin.reloading}>
        {loadError}
      </TabErrorPanel>
    );
  }
  const weeks = fiveWeeks(book, status, history, joinedAt === undefined ? 0 : Date.parse(joinedAt));
  const days = weeks.flat();
  const excused = days.filter(({ excuse }) => excuse !== null);
  const [from, to] = [days[0], days.at(-1)].map((day) => date.format(day?.startMs ?? 0));
  return (
    <>
      <div className={s.columns}>
        <StreakStake status={status} checkin={checkin} />
        <Card
          title={t.fiveWeeks}
          aside={<span className="t-label">{t.range({ from: from ?? '', to: to ?? '' })}</span>}
          className={s.weeks}
        >
          <StreakCalendar key={status.dayKey} weeks={weeks} />
          <Row as="ul" gap="6px 20px" wrap className={cx('t-note', s.legend)} aria-hidden="true">
            {LEGEND.filter((state) => state !== 'excused' || excused.length > 0).map((state) => (
              <Row as="li" key={state} gap={8} align="center">
                <Knot state={state} />
                {t[`legend.${state}`]}
              </Row>
            ))}
          </Row>
          {excused.map(({ key, startMs, excuse }) => (
            <p key={key} className={s.excused}>
              {excuse === 'claims-off'
                ? t.excusedClaims({ date: date.format(startMs) })
                : t.excusedOutage({ date: date.format(startMs) })}
            </p>
          ))}
        </Card>
      </div>
      <Milestones status={status} history={history} />
    </>
  );
}

function Loading() {
  return (
    <SkeletonRegion className={s.columns}>
      <Skeleton height={380} />
      <Skeleton height={640} className={s.weeks} />
    </SkeletonRegion>
  );
}

const ADDS = { base: 1, age: 2 };
const LAST = MILESTONES[MILESTONES.length - 1] ?? 1;
const utc = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
const day = dateFormat(utc);
const dayAndYear = dateFormat({ ...utc, year: 'numeric' });

/** Milestones, with the position of the present streak. */
function Milestones({ status, history }: { status: CheckinStatus; history: readonly CheckedDay[] }) {
  const t = useTexts(TEXTS);
  const book = useRuleBook();
  const marks = milestonesOf(status, history);
  return (
    <Card title={t.milestones} aside={<span className="t-label">{t.milestonesNote}</span>}>
      <div className={s.line} aria-hidden="true">
        {status.currentStreak > 0 && (
          <span className={s.cord} style={{ width: at(Math.min(status.currentStreak, LAST)) }}>
            <CordLine thickness={14} adds={ADDS} />
          </span>
        )}
        {marks.map((mark) => (
          <span key={mark.day} className={s.mark} style={{ left: at(mark.day) }}>
            <Knot state={mark.toGo === 0 ? 'done' : 'next'} />
          </span>
        ))}
      </div>
      <ul className="l-lines">
        {marks.map((mark) => (
          <li key={mark.day} className={s.row}>
            <strong className="t-600">{t.daysOf({ count: mark.day })}</strong>
            <span className={s.text}>{textOf(book, mark, dayStartOf(status.dayKey))}</span>
            {mark.toGo === 0 ? (
              <Badge tone="accent" icon={<Check size={16} />}>
                {t.reached}
              </Badge>
            ) : (
              <Badge>{t.checkinsToGo({ count: mark.toGo })}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Position of a day on the line, by square root so that the first marks do not overlap. */
function at(days: number): string {
  return `calc(${Math.sqrt(days / LAST)} * (100% - 2rem))`;
}

function textOf(book: RuleBook, mark: Milestone, todayMs: number): string {
  const t = TEXTS.get();
  const yearOf = (ms: number) => new Date(ms).getUTCFullYear();
  const dateOf = (ms: number) => (yearOf(ms) === yearOf(todayMs) ? day : dayAndYear).format(ms);
  const date = dateOf(mark.atMs);
  if (mark.toGo === 0) return t.reachedOn({ date, day: mark.day, amount: payText(payOf(book, mark.day)) });
  const ahead = (mark.atMs - todayMs) / DAY_MS;
  const when = ahead === 0 ? t.onToday : ahead === 1 ? t.onTomorrow : t.ifKept({ date });
  const next =
    mark.day === fullFromDay(book) ? t.fullFrom({ when, day: mark.day, amount: payText(payOf(book, mark.day)) }) : when;
  if (mark.beforeAtMs === undefined) return next;
  if (mark.beforeAtMs === null) return t.reachedBeforeNext({ next });
  return t.reachedBeforeOn({ date: dateOf(mark.beforeAtMs), next });
}
