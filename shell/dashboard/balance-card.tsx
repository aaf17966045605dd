import { isUnread, useBalance, useSdk, useSessionValue, useTexts } from '@cord/sdk';
import {
  Amount,
  Badge,
  Card,
  Cell,
  Cells,
  Fact,
  formatCord,
  formatCount,
  formatRank,
  LinkButton,
  Row,
  Skeleton,
} from '@cord/ui';
import { ArrowUp } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useGlobalStats } from '../session/public-facts';
import s from './balance-card.module.css';
import { DASHBOARD_TEXTS } from './texts';
import { Why } from './why';

/** Current balance, earnings of the periods, rank and active miners. */
export function BalanceCard() {
  const t = useTexts(DASHBOARD_TEXTS);
  const { micro } = useBalance();
  const user = useSessionValue(({ user }) => user);
  const stats = useGlobalStats();
  const { ledger } = useSdk();
  if (user === null) return null;
  return (
    <Card padding="none" className="l-column" aria-label={t.balance}>
      <div className={s.top}>
        <p className={s.label}>
          <span>{t.balance}</span>
          <Why about={t.balance} of="balance" />
          <LinkButton className={s.ledger} onClick={ledger.open} data-testid="open-ledger">
            {t.openLedger}
          </LinkButton>
        </p>
        {micro === null ? (
          <Skeleton width={220} height={44} />
        ) : (
          <p className={s.amount} style={{ '--chars': formatCord(micro).length } as CSSProperties}>
            <Amount value={micro} size="n44" readerText={t.spokenBalance({ amount: formatCord(micro) })} />
          </p>
        )}
        <p className="c-2">CORD</p>
        <p className={s.today}>
          <Gain cord={user.daily_earnings} />
          <Row as="span" gap={6} align="center">
            {t.today}
            <Why about={t.today} of="day" />
          </Row>
        </p>
        <dl>
          <Period label={t.thisWeek} cord={user.weekly_earnings} of="week" />
          <Period label={t.thisMonth} cord={user.monthly_earnings} of="month" />
        </dl>
      </div>
      <Cells columns={2} phoneColumns={2} inset className={s.cells}>
        <Cell
          label={t.rank}
          value={formatRank(user.rank)}
          {...(user.rank === null || !stats.data
            ? {}
            : { unit: t.ofMiners({ miners: formatCount(stats.data.totalMiners) }) })}
          info={<Why about={t.rank} of="rank" />}
          testId="rank"
          dataValue={user.rank ?? undefined}
        />
        <Cell
          label={t.activeMiners}
          value={stats.isPending && !isUnread(stats) ? undefined : formatCount(stats.data?.activeMiners)}
          info={<Why about={t.activeMiners} of="miners" />}
        />
      </Cells>
    </Card>
  );
}

/** Today's earnings, with an arrow when they are positive. */
function Gain({ cord }: { cord: number | null }) {
  const rose = cord !== null && cord > 0;
  return (
    <Badge tone={rose ? 'live' : 'plain'} icon={rose && <ArrowUp size={16} />}>
      <span data-number>{formatCord(cord)}</span>
    </Badge>
  );
}

function Period({ label, cord, of }: { label: string; cord: number | null; of: 'week' | 'month' }) {
  return (
    <Fact
      number
      className={s.period}
      name={
        <Row as="span" gap={6} align="center">
          {label}
          <Why about={label} of={of} />
        </Row>
      }
    >
      {formatCord(cord)}
    </Fact>
  );
}
