import { isUnread, messageOf, useTexts } from '@cord/sdk';
import { Cell, Cells, cx, formatCord, formatCount, Skeleton, SkeletonRegion, TabErrorPanel } from '@cord/ui';
import { Benefits } from './benefits';
import { EarningsWhy } from './earnings-why';
import { OwnCode } from './own-code';
import { PendingCode } from './pending-code';
import { ReferralHistory } from './referral-history';
import s from './referrals-page.module.css';
import { TEXTS } from './texts';
import { type ReferralStats, useReferralStats } from './use-referrals';

export function ReferralsPage() {
  const t = useTexts(TEXTS);
  const read = useReferralStats();
  const { data, error, isFetching, refetch } = read;
  return (
    <div className={s.page}>
      <header>
        <h1 className="t-h1">{t.title}</h1>
        <p className={s.subtitle}>{t.subtitle}</p>
      </header>
      {data === undefined && isUnread(read) ? (
        <TabErrorPanel title={t.failed} onRetry={() => void refetch()} retrying={isFetching}>
          {error && t.loadError({ message: messageOf(error, t.failed) })}
        </TabErrorPanel>
      ) : (
        <Referrals stats={data} />
      )}
    </div>
  );
}

/** Up to this many characters a sum fits a third of a phone; numbers are never broken. */
const THIRD_FITS = 8;

function fitsThird(stats: ReferralStats | undefined): boolean {
  return formatCord(stats?.totalEarnings).length <= THIRD_FITS;
}

/** @param stats undefined while loading */
function Referrals({ stats }: { stats: ReferralStats | undefined }) {
  const t = useTexts(TEXTS);
  const thirds = fitsThird(stats);
  return (
    <>
      <Cells columns={3} phoneColumns={thirds ? 3 : 1} className={cx(s.cells, thirds && s.thirds)}>
        <Cell label={t.friendsJoined} value={stats && formatCount(stats.totalReferrals)} />
        <Cell
          label={t.totalEarnings}
          value={stats && formatCord(stats.totalEarnings)}
          info={<EarningsWhy stats={stats} about={t.totalEarnings} />}
          hint={stats && stats.heldEarnings > 0 ? t.held({ amount: formatCord(stats.heldEarnings) }) : undefined}
        />
        <Cell label={t.commission} value={t.commissionValue} unit={t.forLife} />
      </Cells>
      {stats === undefined ? (
        <SkeletonRegion className={s.page}>
          <div className={s.pair}>
            <Skeleton height={340} className={s.box} />
            <Skeleton height={340} className={s.box} />
          </div>
          <Skeleton height={320} className={s.box} />
        </SkeletonRegion>
      ) : (
        <>
          <PendingCode stats={stats} />
          <div className={s.pair}>
            <OwnCode code={stats.referralCode} />
            <Benefits />
          </div>
          <ReferralHistory friends={stats.referralHistory} code={stats.referralCode} />
        </>
      )}
    </>
  );
}
