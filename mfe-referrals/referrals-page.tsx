import { Loaded, useTexts } from '@cord/sdk';
import {
  Card,
  Cell,
  Cells,
  Columns,
  cx,
  formatCord,
  formatCount,
  PageHead,
  Row,
  Skeleton,
  SkeletonRegion,
  Stack,
} from '@cord/ui';
import { Gift, Infinity as NoLimit, Percent, Sprout } from 'lucide-react';
import { EarningsWhy } from './earnings-why';
import { OwnCode } from './own-code';
import { PendingCode } from './pending-code';
import { ReferralHistory } from './referral-history';
import s from './referrals-page.module.css';
import { TEXTS } from './texts';
import { failedText, type ReferralStats, useReferralStats } from './use-referrals';

export function ReferralsPage() {
  const t = useTexts(TEXTS);
  const read = useReferralStats();
  return (
    <Stack gap="var(--gap)">
      <PageHead title={t.title} className={s.head}>
        {t.subtitle}
      </PageHead>
      <Loaded
        query={read}
        failed={t.failed}
        failedText={failedText(t, read.error)}
        loading={<Referrals stats={undefined} />}
        compact={false}
      >
        {(stats) => <Referrals stats={stats} />}
      </Loaded>
    </Stack>
  );
}

/** Maximum characters of a sum that fit a third of a phone; numbers do not wrap. */
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
        <SkeletonRegion>
          <Stack gap="var(--gap)">
            <Columns>
              <Skeleton height={340} card />
              <Skeleton height={340} card />
            </Columns>
            <Skeleton height={320} card />
          </Stack>
        </SkeletonRegion>
      ) : (
        <>
          <PendingCode stats={stats} />
          <Columns>
            <OwnCode code={stats.referralCode} />
            <Benefits />
          </Columns>
          <ReferralHistory friends={stats.referralHistory} joined={stats.totalReferrals} code={stats.referralCode} />
        </>
      )}
    </>
  );
}

const ROWS = [
  { Icon: Percent, title: 'benefitLife', text: 'benefitLifeText' },
  { Icon: Gift, title: 'benefitBonus', text: 'benefitBonusText' },
  { Icon: Sprout, title: 'benefitFriend', text: 'benefitFriendText' },
  { Icon: NoLimit, title: 'benefitNoLimit', text: 'benefitNoLimitText' },
] as const;

/** Benefits of a referral. */
function Benefits() {
  const t = useTexts(TEXTS);
  return (
    <Card title={t.benefits}>
      <Stack as="ul" className="l-lines">
        {ROWS.map(({ Icon, title, text }) => (
          <Row as="li" key={title} gap={16} className={s.row}>
            <Icon size={20} className="c-accent" aria-hidden="true" />
            <div>
              <p className="t-strong">{t[title]}</p>
              <p className="t-label">{t[text]}</p>
            </div>
          </Row>
        ))}
      </Stack>
    </Card>
  );
}
