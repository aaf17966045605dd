import { formatDayKey, useSdk, useTabView, useTexts, useUserId } from '@cord/sdk';
import { Badge, Button, SettingRow } from '@cord/ui';
import { Check, CircleAlert, Clock, CloudOff, History } from 'lucide-react';
import { CHECK_VIEW } from '../app/lazy-files';
import { LOST_MS, remembered } from './remembered';
import { CHECK_TEXTS } from './texts';

/** Link to the check, with its last result in this browser. */
export function LedgerCheckRow() {
  const t = useTexts(CHECK_TEXTS);
  const view = useTabView('view');
  const userId = useUserId() ?? '';
  const { clock } = useSdk();
  const { last, lostMs } = remembered(userId);
  const isLost = lostMs !== null && clock.now() - lostMs >= LOST_MS;
  return (
    <SettingRow title={t.title} help={last?.ok ? t.matched({ day: formatDayKey(last.day) }) : t.rowHelp}>
      {isLost && last?.ok !== false && (
        <Badge tone="warn" icon={<CloudOff size={16} />}>
          {t.lost}
        </Badge>
      )}
      {!isLost && last?.ok && last.lateDay !== undefined && (
        <Badge tone="warn" icon={<Clock size={16} />}>
          {t.lateRow}
        </Badge>
      )}
      {!isLost && last?.ok && last.lateDay === undefined && (
        <Badge tone="live" icon={<Check size={16} />}>
          {t.holds}
        </Badge>
      )}
      {last?.begun && (
        <Badge tone="warn" icon={<History size={16} />}>
          {t.begunRow}
        </Badge>
      )}
      {last?.ok === false && !last.begun && (
        <Badge tone="danger" icon={<CircleAlert size={16} />}>
          {t.mismatched}
        </Badge>
      )}
      <Button size="sm" onClick={() => view.open(CHECK_VIEW)}>
        {t.open}
      </Button>
    </SettingRow>
  );
}
