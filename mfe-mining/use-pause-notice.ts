import { notify, useMiningSession, useSdk, useSettings, useTexts } from '@cord/sdk';
import { useEffect, useRef } from 'react';
import { TEXTS } from './texts';

/** Tells who has set it so that the node has paused. */
export function usePauseNotice(): void {
  const t = useTexts(TEXTS);
  const { toasts } = useSdk();
  const wanted = useSettings().data?.notifications ?? false;
  const status = useMiningSession()?.status;
  const before = useRef(status);
  useEffect(() => {
    const paused = before.current === 'active' && status === 'paused';
    before.current = status;
    if (wanted && paused) notify(toasts, { tab: 'node', title: t.pausedTitle, text: t.pausedText });
  }, [wanted, status, toasts, t]);
}
