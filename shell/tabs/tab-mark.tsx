import { useSessionValue, useTexts } from '@cord/sdk';
import { StatusDot, VisuallyHidden } from '@cord/ui';
import type { TabItem } from './tab-list';
import { TAB_TEXTS } from './texts';

/** A dot beside a tab's name, with its meaning as text. An unknown field marks nothing. */
export function TabMark({ tab: { badge } }: { tab: TabItem }) {
  const t = useTexts(TAB_TEXTS);
  const marked = useSessionValue(
    ({ user }) => badge !== null && user !== null && Reflect.get(user, badge.field) === badge.is,
  );
  if (!marked || badge === null) return null;
  return (
    <>
      <StatusDot tone={badge.is ? 'live' : 'warn'} />
      <VisuallyHidden>{t.mark({ words: badge.words })}</VisuallyHidden>
    </>
  );
}
