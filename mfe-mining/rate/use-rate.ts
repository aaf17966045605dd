import { useCurrentEpoch, useRate, useSessionValue, useTexts } from '@cord/sdk';
import { levelName } from '../network/network-format';
import { useSecurity } from '../network/use-security';
import { TEXTS } from '../texts';
import { type RateView, rateView } from './rate-view';

/** Returns the rate with the names of its strands; null while the user is unknown. */
export function useNamedRate(): RateView | null {
  const t = useTexts(TEXTS);
  const age = useSessionValue(({ user }) => user?.account_age);
  const { data: security } = useSecurity();
  const { data: epoch = null } = useCurrentEpoch();
  const rate = useRate();
  if (age === undefined || rate === null) return null;
  return rateView(rate, {
    age,
    epoch,
    networkLevel: levelName(t, security),
  });
}
