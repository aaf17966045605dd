import * as supportEndpoints from '@cord/contracts/addresses/support';
import type { ResponseOf } from '@cord/contracts/calls';
import { ANTICHEAT_CACHE_MS } from '@cord/contracts/rules/timings';
import {
  formatDate,
  formatTime,
  LIVE_CALM_MS,
  Loaded,
  type TextsOf,
  useQuery,
  useSdk,
  useTexts,
  useToasts,
  useUserId,
} from '@cord/sdk';
import { Badge, Button, Skeleton, WaitingBadge, WarningBadge } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Row } from './section';
import { SupportForm } from './support-form';
import { SUPPORT_TEXTS } from './support-texts';
import { useSupport } from './use-support';

/** How the network check sees the user, why, and the way to appeal from level 1 on (services/contracts/rules/README.md#network-check). */
export function NetworkCheck() {
  const t = useTexts(SUPPORT_TEXTS);
  const { api } = useSdk();
  const userId = useUserId();
  const check = useQuery({
    queryKey: ['anticheat', userId],
    meta: { live: { rate: LIVE_CALM_MS } },
    queryFn: ({ signal }) => api.call(supportEndpoints.anticheat, { signal }),
    staleTime: ANTICHEAT_CACHE_MS,
  });
  return (
    <Loaded query={check} failed={t.networkFailed} loading={<Skeleton height={48} />}>
      {(seen) => <Checked check={seen} />}
    </Loaded>
  );
}

function Checked({ check }: { check: ResponseOf<typeof supportEndpoints.anticheat> }) {
  const t = useTexts(SUPPORT_TEXTS);
  const [appealing, setAppealing] = useState(false);
  const { isFlagged, penaltyLevel, mayAppeal, checkedAt } = check;
  const atMs = Date.parse(checkedAt);
  const flag = penaltyLevel > 0 ? t['level.penalty']({ n: penaltyLevel }) : t['level.shared'];
  return (
    <Row
      title={t.network}
      help={`${isFlagged ? sharedText(t, check) : t.networkClean} ${t.checked({ day: formatDate(atMs), time: formatTime(atMs) })}`}
    >
      {isFlagged ? (
        <WarningBadge>{flag}</WarningBadge>
      ) : (
        <Badge tone="live" icon={<Check size={16} aria-hidden="true" />}>
          {t['level.clean']}
        </Badge>
      )}
      {mayAppeal && <Appeal onAppeal={() => setAppealing(true)} />}
      <AppealDialog open={appealing} onOpenChange={setAppealing} />
    </Row>
  );
}

/** Who else mines there, as a number and never by name, and what that takes. */
function sharedText(t: TextsOf<typeof SUPPORT_TEXTS>, check: ResponseOf<typeof supportEndpoints.anticheat>): string {
  const reduced = t.rateReduced({ percent: Math.round(check.efficiencyMultiplier * 100) });
  return `${t.networkShared({ count: check.otherUsersOnIp })} ${check.penaltyLevel > 0 ? reduced : t.rateWhole}`;
}

/** One appeal at a time. */
function Appeal({ onAppeal }: { onAppeal: () => void }) {
  const t = useTexts(SUPPORT_TEXTS);
  const waits = useSupport().data?.some(({ kind, status }) => kind === 'appeal' && status === 'open') ?? false;
  if (waits) return <WaitingBadge>{t.appealWaits}</WaitingBadge>;
  return (
    <Button size="sm" onClick={onAppeal}>
      {t.appeal}
    </Button>
  );
}

function AppealDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTexts(SUPPORT_TEXTS);
  const toasts = useToasts();
  const sent = () => {
    onOpenChange(false);
    toasts.show({ kind: 'success', title: t.appealSent, text: t.sentText });
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t.appealTitle} description={t.appealText} width={520}>
      <SupportForm kind="appeal" subject={t.appealSubject} onSent={sent} />
    </Dialog>
  );
}
