import { useMiningSession, useSdk, useTexts } from '@cord/sdk';
import { VisuallyHidden } from '@cord/ui';
import { useEffect, useState } from 'react';
import { TEXTS } from '../texts';

/**
 * Announces start, stop and pause of the node on every page (storybook/ui/README.md#speech), once each. A press on
 * this page is announced by its toast. Opening the page is no event.
 */
export function NodeAnnouncements() {
  const t = useTexts(TEXTS);
  const { session } = useSdk();
  const [announced, setAnnounced] = useState('');
  // Read on every page, not only where the node is shown.
  useMiningSession();
  useEffect(
    () =>
      session.node.listen((now, before) => {
        if (now === undefined || before === undefined || now?.status === before?.status) return;
        const shownByToast = now?.status !== 'paused' && session.pressedHere();
        const text = now === null ? t.nodeOffline : now.status === 'paused' ? t.nodePaused : t.nodeOnline;
        setAnnounced(shownByToast ? '' : text);
      }),
    [session, t],
  );
  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
