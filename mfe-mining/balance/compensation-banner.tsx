import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { ResponseOf } from '@cord/contracts/calls';
import {
  isNetworkError,
  isUnread,
  LIVE_SOON_MS,
  LONG_TOAST_MS,
  messageOf,
  useDismissal,
  useMiningSession,
  useQuery,
  useRefreshUser,
  useSdk,
  useServerNow,
  useSessionValue,
  useTexts,
  useUserId,
  useWrite,
} from '@cord/sdk';
import { Button, formatCord, Notice, Skeleton } from '@cord/ui';
import { Check, Gift } from 'lucide-react';
import { useEffect } from 'react';
import { COMPENSATION_TEXTS } from '../texts';
import s from './compensation-banner.module.css';

const KEY = ['compensation'];
const keyOf = (userId: string | null) => [...KEY, userId];
type CompensationStatus = ResponseOf<typeof rewardEndpoints.compensationStatus>;
/** How long the result of a claim is shown, ms. */
const SHOWN_MS = 86_400_000;

/** The one-time compensation: offered, being claimed, or claimed for a day; nothing when it is unavailable or dismissed. */
export function CompensationBanner() {
  const t = useTexts(COMPENSATION_TEXTS);
  const { api } = useSdk();
  const userId = useUserId();
  const running = useMiningSession()?.status === 'active';
  const claimedBefore = useSessionValue(({ user }) => user?.comp_claim === true);
  const { dismissed, dismiss } = useDismissal('compensation');
  const read = useQuery({
    queryKey: keyOf(userId),
    meta: { live: { orders: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(rewardEndpoints.compensationStatus, { signal }),
    enabled: userId !== null && !dismissed,
  });
  const { data: status } = read;
  const claim = useClaim(userId);

  if (dismissed) return null;
  if (status === undefined) {
    // After a claim it is still unknown whether the result is shown.
    if (isUnread(read) || claimedBefore) return null;
    return (
      <div className={s.offer}>
        <Skeleton height="100%" card />
      </div>
    );
  }
  if (!status.available && !status.claimed) return null;
  if (status.claimed) {
    return (
      <Claimed amount={status.amount} claimedAt={status.claimedAt} isNew={claim.data !== undefined} onClose={dismiss} />
    );
  }
  const whole = formatCord(status.amount, { decimals: 0 });
  return (
    <Notice
      icon={<Gift size={20} />}
      title={t.title({ amount: whole })}
      error={claim.error ? claimError(claim.error) : null}
      action={
        <Button
          variant={running ? 'primary' : 'secondary'}
          loading={claim.isPending}
          loadingText={t.processing}
          needsServer
          onClick={() => claim.press(null)}
        >
          {t.claim({ amount: whole })}
        </Button>
      }
    >
      {t.text}
    </Notice>
  );
}

interface ClaimedProps {
  amount: number;
  claimedAt: string | null;
  /** Whether it was just claimed here. */
  isNew: boolean;
  onClose: () => void;
}

/** The claimed amount, shown for a day; after that the device stores that it is dismissed. */
function Claimed({ amount, claimedAt, isNew, onClose }: ClaimedProps) {
  const t = useTexts(COMPENSATION_TEXTS);
  const nowMs = useServerNow();
  const isOld = claimedAt !== null && nowMs - Date.parse(claimedAt) >= SHOWN_MS;
  const over = isOld && !isNew;
  useEffect(() => {
    if (over) onClose();
  }, [over, onClose]);
  if (over) return null;
  return (
    <Notice tone="live" icon={<Check size={20} />} title={t.claimed} announce={isNew} onClose={onClose}>
      {t.claimedText({ amount: formatCord(amount) })}
    </Notice>
  );
}

function claimError(error: Error): string {
  const t = COMPENSATION_TEXTS.get();
  return isNetworkError(error) ? t.networkFailed : messageOf(error, t.failed);
}

function useClaim(userId: string | null) {
  const { session, queries, clock } = useSdk();
  const refreshUser = useRefreshUser();
  return useWrite(
    (api, _press: null, idempotencyKey) =>
      api.call(rewardEndpoints.compensation, { body: { userId: userId ?? '' }, idempotencyKey }),
    {
      key: ['compensation', 'claim', userId],
      refresh: [KEY],
      onDone({ updatedUser, rewardAmount }) {
        session.merge(updatedUser);
        // A read before the refetch must not offer the paid amount again.
        const claimedAt = new Date(clock.now()).toISOString();
        queries.setQueryData<CompensationStatus>(
          keyOf(userId),
          (status) => status && { ...status, claimed: true, amount: rewardAmount, claimedAt },
        );
        void refreshUser();
      },
      toast: {
        failed: (error) => {
          const t = COMPENSATION_TEXTS.get();
          return {
            kind: 'error',
            title: isNetworkError(error) ? t.toastNetwork : t.toastFailed,
            text: claimError(error),
            durationMs: LONG_TOAST_MS,
          };
        },
      },
    },
  );
}
