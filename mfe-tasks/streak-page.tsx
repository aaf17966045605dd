import { dateFormat, type TabView, usePageTitle, useRuleBook, useSessionValue, useTexts } from '@cord/sdk';
import { BackButton, Card, cx, PageHead, Row, Skeleton, SkeletonRegion, TabErrorPanel, ViewPage } from '@cord/ui';
import { Milestones } from './milestones';
import { Knot, StreakCalendar } from './streak-calendar';
import { fiveWeeks } from './streak-days';
import s from './streak-page.module.css';
import { StreakStake } from './streak-stake';
import { TEXTS } from './texts';
import { type Checkin, useCheckin } from './use-checkin';

const LEGEND = ['done', 'today', 'missed', 'excused', 'next'] as const;
const date = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });

/** What today is worth and when it closes, five weeks, milestones: `?tab=tasks&view=streak`. */
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
