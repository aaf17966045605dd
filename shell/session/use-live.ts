import { useSdk } from '@cord/sdk';
import { useEffect } from 'react';

/** While somebody is signed in: one tab of the browser holds the live stream (shell/sdk/README.md#live-updates). */
export function useLive(): void {
  const { live } = useSdk();
  useEffect(() => live.run(), [live]);
}
