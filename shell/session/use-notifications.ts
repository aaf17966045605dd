import { userEndpoints } from '@cord/contracts/http/users';
import {
  SHORT_TOAST_MS,
  type TabId,
  type Toasts,
  useMiningSession,
  useQuery,
  useSdk,
  useSession,
  useTexts,
} from '@cord/sdk';
import { useEffect, useRef } from 'react';
import { SESSION_TEXTS } from './texts';

/** Tells who has set it so, on this page and past it: that the node has paused, and that a check-in is due again. */
export function useNotifications(): void {
  const t = useTexts(SESSION_TEXTS);
  const { api, toasts } = useSdk();
  const { user } = useSession();
  const userId = user?.id ?? '';
  const wanted =
    useQuery({
      queryKey: ['settings', userId],
      queryFn: ({ signal }) => api.call(userEndpoints.getSettings, { params: { id: userId }, signal }),
      enabled: userId !== '',
    }).data?.notifications ?? false;

  const status = useMiningSession()?.status;
  const before = useRef(status);
  useEffect(() => {
    const paused = before.current === 'active' && status === 'paused';
    before.current = status;
    if (wanted && paused) tell(toasts, 'node', t.pausedTitle, t.pausedText);
  }, [wanted, status, toasts, t]);

  // Not at each start of the page, where the check-in stands in sight: when a new day has begun meanwhile.
  const claimed = user?.daily_checkin_claimed;
  const claimedBefore = useRef(claimed);
  useEffect(() => {
    const due = claimedBefore.current === true && claimed === false;
    claimedBefore.current = claimed;
    if (wanted && due) tell(toasts, 'tasks', t.checkinTitle, t.checkinText);
  }, [wanted, claimed, toasts, t]);
}

/** On the page as a toast; past it where the user has allowed it and looks elsewhere. A click on it leads to the tab. */
function tell(toasts: Toasts, tab: TabId, title: string, text: string): void {
  toasts.show({ kind: 'info', title, text, durationMs: SHORT_TOAST_MS });
  if (document.visibilityState === 'visible' || typeof Notification === 'undefined') return;
  if (Notification.permission !== 'granted') return;
  // Phones know notifications of a worker only.
  void navigator.serviceWorker?.ready.then((worker) =>
    worker.showNotification(title, { body: text, icon: '/icons/icon-192.png', tag: title, data: { tab } }),
  );
}

/** Asks the browser for leave to tell past the page; only ever after a press. The toast on the page needs none. */
export function askForNotifications(): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'default') return;
  void Notification.requestPermission().catch(() => undefined);
}
