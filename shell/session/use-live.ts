import { useSdk } from '@cord/sdk';
import { useEffect } from 'react';

/** While somebody is signed in: one tab of the browser holds the live stream (design.md, Front end). */
export function useLive(): void {
  const { live } = useSdk();
  useEffect(() => live.run(), [live]);
}
