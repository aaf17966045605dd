import { LedgerEntries, useTexts } from '@cord/sdk';
import { formatCord, formatRate, WhyNumber } from '@cord/ui';
import { TEXTS } from '../texts';
import type { Node } from './use-node';

/** "Why this number?" of the session's earnings: the credited and the accrued amount, with the node's entries. */
export function SessionWhy({ node: { session, earnedMicro, pendingMicro } }: { node: Node }) {
  const t = useTexts(TEXTS);
  return (
    <WhyNumber
      about={t.sessionEarned}
      formula={t.whySession}
      inputs={[
        { label: t.whyCredited, value: formatCord(earnedMicro - (session === null ? 0n : pendingMicro)) },
        ...(session === null
          ? []
          : [
              { label: t.whyPending, value: formatCord(pendingMicro, { signed: true }) },
              { label: t.currentRate, value: formatRate(session.rate) },
            ]),
      ]}
    >
      <LedgerEntries sources={['mining']} />
    </WhyNumber>
  );
}
