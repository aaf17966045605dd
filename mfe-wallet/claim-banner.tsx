import { formatDate, type PartProps, useDismissal, useTexts } from '@cord/sdk';
import { Button, formatCount, Notice } from '@cord/ui';
import { CircleCheck, Gift } from 'lucide-react';
import { TEXTS } from './texts';
import { type Claimed, useCordClaim } from './use-cord-claim';

/** The CORD reward of badge holders: offered, in progress, claimed. */
export function ClaimBanner(_props: PartProps) {
  const t = useTexts(TEXTS);
  const claim = useCordClaim();
  const { dismissed, dismiss } = useDismissal('cord-claim');
  if (claim.status === 'hidden') return null;
  if (claim.status === 'claimed') return <ClaimedNotice claimed={claim.claimed} />;
  if (dismissed) return null;
  const claiming = claim.status === 'claiming';
  return (
    <Notice
      tone="honor"
      icon={<Gift />}
      title={t.claimTitle}
      error={claiming ? null : claim.error}
      onClose={claiming ? undefined : dismiss}
      closeLabel={t.dismiss}
      testId="claim-banner"
      action={
        <Button
          variant="primary"
          loading={claiming}
          loadingText={t.processing}
          needsServer
          onClick={claiming ? undefined : claim.claim}
        >
          {t.claim}
        </Button>
      }
    >
      {t.claimText}
    </Notice>
  );
}

function ClaimedNotice({ claimed: { amount, atMs } }: { claimed: Claimed }) {
  const t = useTexts(TEXTS);
  const cord = formatCount(amount);
  if (atMs !== null) {
    return (
      <Notice tone="live" icon={<CircleCheck />} title={t.claimedBefore} testId="claim-banner">
        {t.claimedOn({ amount: cord, day: formatDate(atMs) })}
      </Notice>
    );
  }
  return (
    <Notice
      tone="live"
      icon={<CircleCheck />}
      title={t.claimedNow}
      announce
      testId="claim-banner"
      action={
        <Button disabled disabledReason={t.claimOnce}>
          {t.claimedSuccessfully}
        </Button>
      }
    >
      {t.claimedText({ amount: cord })}
    </Notice>
  );
}
