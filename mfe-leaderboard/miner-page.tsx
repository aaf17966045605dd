import type { LeaderboardEntry, MinerPlaces, Period } from '@cord/contracts/http/leaderboard';
import { Loaded, type TabView, usePageTitle, useTexts, useUserId } from '@cord/sdk';
import {
  Avatar,
  BackButton,
  Button,
  Card,
  cx,
  EmptyState,
  formatCord,
  formatCount,
  formatRank,
  Row,
  Skeleton,
  SkeletonRegion,
  Stack,
  UNKNOWN,
  ViewPage,
  VisuallyHidden,
  WhyNumber,
} from '@cord/ui';
import { Eye } from 'lucide-react';
import { MinerFacts, MinerHead } from './miner-facts';
import { linkArea, MinerName } from './miner-links';
import s from './miner-page.module.css';
import { MinerBadges } from './podium';
import { formatDistance } from './ranked-miner';
import { TEXTS } from './texts';
import { useMiner, useOwnRank } from './use-rankings';

interface MinerPageProps {
  userId: string;
  view: TabView;
  /** Ranking below this page. */
  period: Period;
  /** Returns to the rankings and searches for a name. */
  onShow(name: string): void;
}

/** A miner's public page: facts, rank by period, neighbours. */
export function MinerPage(props: MinerPageProps) {
  const t = useTexts(TEXTS);
  const { view, period } = props;
  return (
    <ViewPage testId="profile">
      <BackButton onClick={view.close}>{t.backTo({ period: t[`periods.${period}`] })}</BackButton>
      <Profile {...props} />
    </ViewPage>
  );
}

/** The miner's profile: loading, failed, gone, or loaded. */
function Profile({ userId, view, onShow }: MinerPageProps) {
  const t = useTexts(TEXTS);
  const you = useUserId() === userId;
  const own = useOwnRank('all-time').entry ?? null;
  const read = useMiner(userId);
  usePageTitle(read.data?.person.username ?? null);
  return (
    <Loaded query={read} failed={t.profileFailed} compact={false} loading={<Loading />}>
      {(data) =>
        data === null ? (
          <Card>
            <EmptyState title={t.goneTitle} level={2} action={<Button onClick={view.close}>{t.backToRankings}</Button>}>
              {t.goneText}
            </EmptyState>
          </Card>
        ) : (
          <>
            <MinerHead person={data.person} you={you} href={view.hrefOf(userId)} onShow={onShow} />
            <MinerFacts person={data.person} />
            <Stack gap="var(--gap)" className={s.columns}>
              <MinerRanks ranks={data.places.ranks} />
              <Neighbours of={userId} entries={data.places.neighbours} own={own} />
            </Stack>
            <Row as="p" gap={8} className="t-note">
              <Eye size={18} />
              {t.publicNote}
            </Row>
          </>
        )
      }
    </Loaded>
  );
}

function Loading() {
  return (
    <SkeletonRegion>
      <Stack gap="var(--gap)">
        <Skeleton height={136} />
        <Skeleton height={112} />
        <Stack gap="var(--gap)" className={s.columns}>
          <Skeleton height={400} />
          <Skeleton height={400} />
        </Stack>
      </Stack>
    </SkeletonRegion>
  );
}

function RankWhy({ period }: { period: Period }) {
  const t = useTexts(TEXTS);
  const counted = period === 'all-time' ? t.whyRankEver : t.periodsNote;
  return <WhyNumber about={`${t.rank}, ${t[`rankIn.${period}`]}`} formula={`${counted} ${t.whyRankOrder}`} />;
}

/** The rank in each period, with the earnings that count. */
function MinerRanks({ ranks }: { ranks: MinerPlaces['ranks'] }) {
  const t = useTexts(TEXTS);
  return (
    <Card title={t.rankByPeriod} aria-label={t.rankByPeriod}>
      <dl>
        {ranks.map(({ period, rank, earned }) => (
          <div key={period} className={s.row}>
            <Row as="dt" gap={4} align="center">
              {t[`rankIn.${period}`]}
              <RankWhy period={period} />
            </Row>
            <dd className={rank === null ? s.unranked : s.rank}>{formatRank(rank, t.unranked)}</dd>
            <dd className={s.earned}>{rank === null ? UNKNOWN : formatCord(earned)}</dd>
          </div>
        ))}
      </dl>
      <p className="t-hint">{t.periodsNote}</p>
    </Card>
  );
}

interface NeighboursProps {
  /** Id of the page's miner. */
  of: string;
  /** The miner with two neighbours on each side; empty while unranked. */
  entries: readonly LeaderboardEntry[];
  /** The user's own all-time entry; listed below unless it is one of these. */
  own: LeaderboardEntry | null;
}

/** The all-time neighbours of a miner, and the distance to the user's own rank. */
function Neighbours({ of, entries, own }: NeighboursProps) {
  const t = useTexts(TEXTS);
  const middle = entries.find(({ userId }) => userId === of);
  const apart = middle && own && !entries.some(({ userId }) => userId === own.userId) ? own : null;
  return (
    <Card
      title={
        <Row as="span" inline gap={8} align="center">
          {t.neighbours}
          <WhyNumber about={t.neighbours} formula={t.whyNeighbours} />
        </Row>
      }
      aria-label={t.neighbours}
      padding="none"
    >
      {middle === undefined ? (
        <p className={s.nobody}>{t.nobodyNear}</p>
      ) : (
        <ol>
          {entries.map((entry) => (
            <MinerRow key={entry.userId} entry={entry} to={middle} />
          ))}
          {apart && <MinerRow entry={apart} to={middle} apart />}
        </ol>
      )}
    </Card>
  );
}

/** @param to the page's miner */
function MinerRow({ entry, to, apart = false }: { entry: LeaderboardEntry; to: LeaderboardEntry; apart?: boolean }) {
  const t = useTexts(TEXTS);
  const you = useUserId() === entry.userId;
  const gap = entry.total_earned - to.total_earned;
  const self = entry.userId === to.userId;
  const amount = formatDistance(gap);
  const { username: name, userId } = entry;
  const [rank, total] = [formatCount(entry.rank), formatCord(entry.total_earned)];
  const off = self ? null : gap === 0 ? t.levelWith : gap > 0 ? t.ahead({ amount }) : t.behindBy({ amount });
  const readerText = [t.spokenMiner({ rank, name, total }), off ?? []].flat().join(', ');
  return (
    <li className={cx(s.neighboursRow, self ? s.self : linkArea, apart && s.apart)} aria-current={self || undefined}>
      <span className="t-600" aria-hidden="true">
        {rank}
      </span>
      <Avatar name={name} src={entry.avatar} size={36} className={s.avatar} />
      <span className={s.names}>
        {self ? (
          <span className="t-600 t-cut" title={name}>
            <span aria-hidden="true">{name}</span>
            <VisuallyHidden>{readerText}</VisuallyHidden>
          </span>
        ) : (
          <MinerName name={name} userId={userId} className="t-600 t-cut" readerText={readerText} />
        )}
        <span className={cx(s.badges, you && s.you)}>
          <MinerBadges you={you} honor={entry.hasbadgeofhonor} mining={entry.is_node_active} />
        </span>
      </span>
      <span className={s.figures} aria-hidden="true">
        <span className="t-600">{total}</span>
        {off !== null && <span className="t-note">{off}</span>}
      </span>
    </li>
  );
}
