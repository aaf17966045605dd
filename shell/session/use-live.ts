import { useSdk } from '@cord/sdk';
import { bringLive, createLive } from '@cord/sdk/host';
import { useEffect } from 'react';

bringLive(createLive);

/** While somebody is signed in: one tab of the browser holds the live stream (shell/sdk/README.md#what-changes-elsewhere). */
export function useLive(): void {
  const { live } = useSdk();
  useEffect(() => live.run(), [live]);
}
