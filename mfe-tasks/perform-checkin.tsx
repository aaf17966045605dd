import { useTexts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { payText } from './pay-text';
import { TEXTS } from './texts';
import type { Checkin, CheckinStatus } from './use-checkin';

/** Today's check-in with its pay. */
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
      {t.checkInFor({ amount: payText(status.nextReward + status.nextBonus) })}
    </Button>
  );
}

/** Why the last press was refused. */
export function CheckinRefused({ checkin: { performError } }: { checkin: Checkin }) {
  return performError === null ? null : <p className="t-label c-danger">{performError}</p>;
}
