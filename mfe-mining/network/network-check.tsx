import type * as supportEndpoints from '@cord/contracts/addresses/support';
import type { ResponseOf } from '@cord/contracts/calls';
import { formatDate, formatTime, Loaded, Part, useTexts } from '@cord/sdk';
import { Badge, SettingRow, Skeleton, WarningBadge } from '@cord/ui';
import { Check } from 'lucide-react';
import { TEXTS } from '../texts';
import { levelName, networkText } from './network-format';
import { NETWORK_TEXTS } from './texts';
import { useSecurity } from './use-security';

/** The user's network check with its reason, and an appeal from level 1 (services/contracts/rules/README.md#network-check). */
export function NetworkCheck() {
  const t = useTexts(NETWORK_TEXTS);
  return (
    <Loaded query={useSecurity()} failed={t.networkFailed} loading={<Skeleton height={48} />}>
      {(seen) => <Checked check={seen} />}
    </Loaded>
  );
}

function Checked({ check }: { check: ResponseOf<typeof supportEndpoints.anticheat> }) {
  const t = useTexts(NETWORK_TEXTS);
  const texts = useTexts(TEXTS);
  const level = levelName(texts, check);
  const { isFlagged, mayAppeal, checkedAt } = check;
  const atMs = Date.parse(checkedAt);
  return (
    <SettingRow
      title={t.network}
      help={`${isFlagged ? networkText(texts, check, t.rateReduced) : t.networkClean} ${t.checked({ day: formatDate(atMs), time: formatTime(atMs) })}`}
    >
      {isFlagged ? (
        <WarningBadge>{level}</WarningBadge>
      ) : (
        <Badge tone="live" icon={<Check size={16} />}>
          {level}
        </Badge>
      )}
      {mayAppeal && <Part name="shell/appeal" />}
    </SettingRow>
  );
}
