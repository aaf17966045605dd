import { useTexts } from '@cord/sdk';
import { Notice } from '@cord/ui';
import { CircleCheck, Hourglass } from 'lucide-react';
import { REFUSALS } from './refusal-texts';
import { TEXTS } from './texts';
import type { ReferralStats } from './use-referrals';

/** State of a code sent with the sign-in: pending, credited, or refused with the reason. */
export function PendingCode({ stats }: { stats: Pick<ReferralStats, 'pendingCode'> }) {
  const t = useTexts(TEXTS);
  const refusals = useTexts(REFUSALS);
  const { pendingCode } = stats;
  if (pendingCode === null) return null;
  const { code, status, why } = pendingCode;
  const reason = refusals[why ?? 'other'] ?? refusals.other ?? pendingCode.reason;
  if (status === 'refused') {
    return <Notice tone="warn" look="inline" title={t.refusedCode({ code, reason: reason ?? t.refusedUnknown })} />;
  }
  if (status === 'credited') {
    return <Notice tone="live" look="inline" icon={<CircleCheck />} title={t.creditedCode({ code })} />;
  }
  return <Notice tone="sky" look="inline" icon={<Hourglass />} title={t.pendingCode({ code })} />;
}
