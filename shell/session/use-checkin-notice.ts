import { notify, useSdk, useSession, useSettings, useTexts } from '@cord/sdk';
import { useEffect, useRef } from 'react';
import { SESSION_TEXTS } from './texts';

/** Tells who has set it so that a check-in is due again: not at each start of the page, where it stands in sight, but when a new day has begun meanwhile. */
export function useCheckinNotice(): void {
  const t = useTexts(SESSION_TEXTS);
  const { toasts } = useSdk();
  const wanted = useSettings().data?.notifications ?? false;
  const claimed = useSession().user?.daily_checkin_claimed;
  const before = useRef(claimed);
  useEffect(() => {
    const due = before.current === true && claimed === false;
    before.current = claimed;
    if (wanted && due) notify(toasts, { tab: 'tasks', title: t.checkinTitle, text: t.checkinText });
  }, [wanted, claimed, toasts, t]);
}
