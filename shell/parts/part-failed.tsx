import { useTexts } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import { Card, TabErrorPanel } from '@cord/ui';
import { PART_TEXTS } from './texts';

/** These show nothing by themselves, stand in a line with others or over a page: without them the page is whole, so their failure shows nothing. */
const QUIET: ReadonlySet<PartName> = new Set([
  'mining/background',
  'tasks/checkin-button',
  'wallet/wallet-button',
  'wallet/purchase-button',
  'wallet/claim-banner',
]);

/** A part that could not be loaded or threw: its own place says so, the rest of the page goes on. */
export function PartFailed({ name, retry, again }: { name: PartName; retry: () => void; again: boolean }) {
  const t = useTexts(PART_TEXTS);
  if (QUIET.has(name)) return null;
  return (
    <Card>
      <TabErrorPanel
        compact
        title={t.failed({ part: t[name] })}
        retryText={again ? t.reload : t.retry}
        onRetry={again ? () => location.reload() : retry}
      />
    </Card>
  );
}
