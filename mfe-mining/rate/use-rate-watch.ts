import { RATE_READ_SPREAD_MS } from '@cord/contracts/rules/timings';
import { EPOCH_KEY, rateKey, useIsPast, useSdk, useServerRate, useUserId } from '@cord/sdk';
import { useEffect, useRef } from 'react';

/**
 * Invalidates what a change of the rate makes stale: the epoch, the network check, the record. `useRate` derives the next
 * rate of an expired one; its own end is read within a minute, at random, since rates expire for all users at once.
 */
export function useRateWatch(): void {
  const { cache, live, session } = useSdk();
  const userId = useUserId() ?? undefined;
  const rate = useServerRate();

  const over = useIsPast(rate?.rateUntil ?? null);
  useEffect(() => {
    if (!over || userId === undefined) return;
    const refresh = () => live.leads() && cache.invalidate([rateKey(userId)]);
    const timer = setTimeout(refresh, Math.random() * RATE_READ_SPREAD_MS);
    return () => clearTimeout(timer);
  }, [over, userId, cache, live]);

  useOnChange(rate?.factors, (before, now) => {
    if (userId === undefined || !live.leads()) return;
    const changed = [['user', userId]];
    if (before.epochId !== now.epochId || before.epoch !== now.epoch) changed.push([...EPOCH_KEY]);
    if (before.antiCheat !== now.antiCheat) changed.push(['anticheat', userId]);
    cache.invalidate(changed);
  });

  // Without rate events, changes of the user's record indicate a new rate.
  useEffect(
    () =>
      session.state.listen(({ user }, { user: before }) => {
        if (user === null || before?.id !== user.id || !live.leads()) return;
        const { hasbadgeofhonor, efficiencyMultiplier } = before;
        if (user.hasbadgeofhonor !== hasbadgeofhonor || user.efficiencyMultiplier !== efficiencyMultiplier)
          cache.invalidate([rateKey(user.id)]);
      }),
    [session, cache, live],
  );
}

/** Calls back when a known value changes, compared by content. */
function useOnChange<T>(value: T | null | undefined, onChange: (before: T, now: T) => void): void {
  const known = useRef(value);
  useEffect(() => {
    const before = known.current;
    if (value === null || value === undefined) return;
    known.current = value;
    if (before === null || before === undefined || JSON.stringify(before) === JSON.stringify(value)) return;
    onChange(before, value);
  });
}
