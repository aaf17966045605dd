import { useMiningSession, useSdk, useTexts } from '@cord/sdk';
import { VisuallyHidden } from '@cord/ui';
import { useEffect, useRef, useState } from 'react';
import { TEXTS } from './texts';

/**
 * Announces what happens to the node wherever the user is: start, stop, pause (storybook/ui/README.md#speech). Each once: what was pressed on
 * this page is shown by its toast. That the page opens is no event.
 */
export function NodeAnnouncements() {
  const t = useTexts(TEXTS);
  const { session } = useSdk();
  const node = useMiningSession();
  const status = node === undefined ? 'unknown' : (node?.status ?? 'idle');
  const before = useRef(status);
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const was = before.current;
    if (status === 'unknown' || was === status) return;
    before.current = status;
    if (was === 'unknown') return;
    const shownByToast = status !== 'paused' && session.pressedHere();
    const text = status === 'active' ? t.nodeOnline : status === 'paused' ? t.nodePaused : t.nodeOffline;
    setAnnounced(shownByToast ? '' : text);
  }, [status, session, t]);
  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
