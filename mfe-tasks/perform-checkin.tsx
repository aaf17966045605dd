import { useTexts } from '@cord/sdk';
import { Button, formatCount } from '@cord/ui';
import s from './perform-checkin.module.css';
import { TEXTS } from './texts';
import type { Checkin, CheckinStatus } from './use-checkin';

/** Today's check-in, with what it pays. */
export function PerformCheckin({ status, checkin }: { status: CheckinStatus; checkin: Checkin }) {
  const t = useTexts(TEXTS);
  return (
    <Button
      variant="primary"
      size="lg"
      block
      loading={checkin.performing}
      loadingText={t.checkingIn}
      needsServer
      onClick={checkin.perform}
    >
      {t.checkinFor({ amount: formatCount(status.nextReward + status.nextBonus) })}
    </Button>
  );
}

/** Why the last press was refused. */
export function CheckinRefused({ checkin: { performError } }: { checkin: Checkin }) {
  return performError === null ? null : <p className={s.refused}>{performError}</p>;
}
