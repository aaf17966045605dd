import { useMiningSession, useSessionValue, useTexts } from '@cord/sdk';
import { StatusDot, VisuallyHidden } from '@cord/ui';
import type { TabItem } from './tab-list';
import { TAB_TEXTS } from './texts';

/** A dot beside a tab's name, and in words what it stands for: the node is online, or what the tab's module marks it for. */
export function TabMark({ tab: { id, badge } }: { tab: TabItem }) {
  const t = useTexts(TAB_TEXTS);
  const mining = useMiningSession()?.status === 'active';

  // While it is not known nothing waits.
  const waits = useSessionValue(
    ({ user }) => badge !== null && user !== null && Reflect.get(user, badge.unless) === false,
  );
  if (id === 'node' && mining) return <Mark words={t.nodeOnline} />;
  return waits && badge ? <Mark tone="warn" words={badge.words} /> : null;
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
