import { useSdk, useUserId } from '@cord/sdk';
import { useEffect } from 'react';
import { whenQuiet } from '../app/quiet';

/** Checks the ledger once a day in the leading tab: when the page is quiet, and when it becomes visible. Its code loads then. */
export function useLedgerCheck(): void {
  const sdk = useSdk();
  const userId = useUserId();
  useEffect(() => {
    if (userId === null) return;
    const left = new AbortController();
    const look = () => {
      if (document.visibilityState === 'hidden' || !sdk.live.leads()) return;
      void import('../ledger-check/daily')
        .then(({ checkToday }) => checkToday(sdk, userId, { signal: left.signal }))
        .catch(() => undefined);
    };
    const stop = whenQuiet(look);
    document.addEventListener('visibilitychange', look);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', look);
      left.abort();
    };
  }, [sdk, userId]);
}
