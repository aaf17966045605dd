import { useSdk } from '@cord/sdk';
import { useEffect } from 'react';

/** Runs the live stream while a user is signed in; one tab of the browser holds it (shell/sdk/README.md#live-updates). */
export function useLive(): void {
  const { live } = useSdk();
  useEffect(() => live.run(), [live]);
}
