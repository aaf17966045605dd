import type { Period } from '@cord/contracts/http/leaderboard';
import { Loaded, type TabView, usePageTitle, useTexts, useUserId } from '@cord/sdk';
import { BackButton, Button, Card, EmptyState, Row, Skeleton, SkeletonRegion, Stack, ViewPage } from '@cord/ui';
import { Eye } from 'lucide-react';
import { MinerFacts, MinerHead } from './miner-facts';
import s from './miner-page.module.css';
import { MinerRanks } from './miner-ranks';
import { Neighbours } from './neighbours';
import { TEXTS } from './texts';
import { useMiner, useOwnRank } from './use-rankings';

interface MinerPageProps {
  userId: string;
  view: TabView;
  /** The ranking that lies under it. */
  period: Period;
  /** Back to the rankings, searching for a name. */
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

/** The miner in whichever state it is: loading, failed, gone, or there. */
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
              <Eye size={18} aria-hidden="true" />
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
