import { type PartProps, useTexts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { payText } from './pay-text';
import { TEXTS } from './texts';
import { useCheckin } from './use-checkin';

/** Today's check-in as one button, for places outside the Task Center; nothing once it is done. */
export function CheckinButton(_props: PartProps) {
  const t = useTexts(TEXTS);
  const { status, performing, perform } = useCheckin();
  if (!status?.canCheckIn) return null;
  return (
    <Button block needsServer loading={performing} loadingText={t.checkingIn} onClick={perform}>
      {t.checkInFor({ amount: payText(status.nextReward + status.nextBonus) })}
    </Button>
  );
}
