import { useMiningSession, useSession, useTexts } from '@cord/sdk';
import { StatusDot, VisuallyHidden } from '@cord/ui';
import type { TabItem } from './tab-list';
import { TAB_TEXTS } from './texts';

/** A dot beside a tab's name, and in words what it stands for: the node is online, or what the tab's module marks it for. */
export function TabMark({ tab: { id, badge } }: { tab: TabItem }) {
  const t = useTexts(TAB_TEXTS);
  const mining = useMiningSession()?.status === 'active';
  const { user } = useSession();
  if (id === 'node' && mining) return <Mark words={t.nodeOnline} />;
  // While it is not known nothing waits.
  const waits = badge !== null && (user as Record<string, unknown> | null)?.[badge.unless] === false;
  return waits ? <Mark tone="warn" words={badge.words} /> : null;
}

function Mark({ tone, words }: { tone?: 'warn'; words: string }) {
  const t = useTexts(TAB_TEXTS);
  return (
    <>
      <StatusDot tone={tone} />
      <VisuallyHidden>{t.mark({ words })}</VisuallyHidden>
    </>
  );
}
