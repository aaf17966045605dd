import { rateOf, useCurrentEpoch, useSession, useTexts } from '@cord/sdk';
import { type RateView, rateView } from './rate-view';
import { TEXTS } from './texts';
import type { Node } from './use-node';
import { useSecurity } from './use-security';

/** The rate of the node's session, running or paused, or of one that would be started now; null while the user is not known. */
export function useRate(node: Node): RateView | null {
  const t = useTexts(TEXTS);
  const { user } = useSession();
  const { data: security } = useSecurity();
  const { data: epoch = null } = useCurrentEpoch();
  if (user === null) return null;
  const { session } = node;
  return rateView(rateOf({ session, user, epoch }), {
    age: user.account_age,
    badge: session?.factors.badge ?? user.hasbadgeofhonor,
    epoch,
    networkLevel: security?.levelName ?? t.clean,
  });
}
