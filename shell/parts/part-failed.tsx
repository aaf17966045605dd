import type { PartModule, PartName } from '@cord/sdk';
import { Card, TabErrorPanel } from '@cord/ui';
import { failuresOf } from './part-failures';

/** What a part is called when it cannot be shown. */
const PART_TITLES: Readonly<Record<PartName, string>> = {
  'mining/node-card': 'Mining node',
  'tasks/tasks-card': 'Tasks',
  'referrals/referral-panel': 'Referrals',
  'wallet/wallet-button': 'Wallet',
  'wallet/badge-card': 'Badge of Honor',
  'wallet/claim-banner': 'Special reward',
};

/** These stand in a line with others or over a page: without them the page is whole, so their failure shows nothing. */
const QUIET: ReadonlySet<PartName> = new Set(['wallet/wallet-button', 'wallet/claim-banner']);

/** A part that could not be loaded or threw: its own place says so, the rest of the page goes on. */
export function PartFailed({ name, retry }: { name: PartName; error: unknown; retry: () => void }) {
  if (QUIET.has(name)) return null;
  const reload = failuresOf(name.split('/')[0] as PartModule) > 1;
  return (
    <Card>
      <TabErrorPanel
        compact
        title={`${PART_TITLES[name]} could not be loaded`}
        retryText={reload ? 'Reload' : 'Retry'}
        onRetry={reload ? () => location.reload() : retry}
      />
    </Card>
  );
}
