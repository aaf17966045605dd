import type { PartProps } from '@cord/sdk';
import { Button, formatCount, Notice } from '@cord/ui';
import { CircleCheck, Gift } from 'lucide-react';
import { useState } from 'react';
import { TEXTS } from './texts';
import { type Claimed, useCordClaim } from './use-cord-claim';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** The cord reward of badge holders: offered, in progress, claimed (spec part 2, Cord reward area). */
export function ClaimBanner(_props: PartProps) {
  const claim = useCordClaim();
  const [dismissed, setDismissed] = useState(false);
  if (claim.status === 'hidden' || dismissed) return null;
  if (claim.status === 'claimed') return <ClaimedNotice claimed={claim.claimed} />;
  const claiming = claim.status === 'claiming';
  return (
    <Notice
      tone="honor"
      icon={<Gift />}
      title={TEXTS.claimTitle}
      error={claiming ? null : claim.error}
      onClose={claiming ? undefined : () => setDismissed(true)}
      closeLabel={TEXTS.dismiss}
      testId="claim-banner"
      action={
        <Button
          variant="primary"
          loading={claiming}
          loadingText={TEXTS.processing}
          onClick={claiming ? undefined : claim.claim}
        >
          {TEXTS.claim}
        </Button>
      }
    >
      {TEXTS.claimText}
    </Notice>
  );
}

function ClaimedNotice({ claimed: { amount, atMs } }: { claimed: Claimed }) {
  const cord = formatCount(amount);
  if (atMs !== null) {
    return (
      <Notice tone="live" icon={<CircleCheck />} title={TEXTS.claimedBefore} testId="claim-banner">
        {TEXTS.claimedOn(cord, day.format(atMs))}
      </Notice>
    );
  }
  return (
    <Notice
      tone="live"
      icon={<CircleCheck />}
      title={TEXTS.claimedNow}
      announce
      testId="claim-banner"
      action={
        <Button disabled disabledReason={TEXTS.claimOnce}>
          {TEXTS.claimedSuccessfully}
        </Button>
      }
    >
      {TEXTS.claimedText(cord)}
    </Notice>
  );
}
