import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import {
  isNetworkError,
  LONG_TOAST_MS,
  messageOf,
  useKeyedMutation,
  useMiningSession,
  useQuery,
  useSdk,
  useSession,
  useTexts,
  useUserId,
} from '@cord/sdk';
import { Button, formatCord, Notice, Skeleton } from '@cord/ui';
import { Check, Gift } from 'lucide-react';
import s from './compensation-banner.module.css';
import { DASHBOARD_TEXTS } from './texts';

const KEY = ['compensation'];

/** The one-time compensation: offered, being claimed, claimed; not there where it is not open to the user. */
export function CompensationBanner() {
  const t = useTexts(DASHBOARD_TEXTS);
  const { api } = useSdk();
  const userId = useUserId();
  const running = useMiningSession()?.status === 'active';
  const claimedBefore = useSession().user?.comp_claim === true;
  const { data: status, isError } = useQuery({
    queryKey: [...KEY, userId],
    queryFn: ({ signal }) => api.call(rewardEndpoints.compensationStatus, { signal }),
    enabled: userId !== null,
  });
  const claim = useClaim(userId);

  if (status === undefined) {
    if (isError) return null;
    return (
      <div className={claimedBefore ? s.claimed : s.offer}>
        <Skeleton height="100%" className={s.box} />
      </div>
    );
  }
  if (!status.available && !status.claimed) return null;
  if (status.claimed) {
    return (
      <Notice tone="live" icon={<Check size={20} />} title={t.compensationClaimed} announce={claim.data !== undefined}>
        {t.compensationClaimedText({ amount: formatCord(status.amount) })}
      </Notice>
    );
  }
  const whole = formatCord(status.amount, { decimals: 0 });
  return (
    <Notice
      icon={<Gift size={20} />}
      title={t.compensation({ amount: whole })}
      error={claim.error ? claimError(claim.error) : null}
      action={
        <Button
          variant={running ? 'primary' : 'secondary'}
          loading={claim.isPending}
          loadingText={t.compensationProcessing}
          needsServer
          onClick={() => claim.press(null)}
        >
          {t.compensationClaim({ amount: whole })}
        </Button>
      }
    >
      {t.compensationText}
    </Notice>
  );
}

function claimError(error: Error): string {
  const t = DASHBOARD_TEXTS.get();
  return isNetworkError(error) ? t.networkFailed : messageOf(error, t.compensationFailed);
}

function useClaim(userId: string | null) {
  const { session, toasts } = useSdk();
  return useKeyedMutation({
    name: ['compensation', 'claim', userId],
    send: (api, _press: null, idempotencyKey) =>
      api.call(rewardEndpoints.compensation, { body: { userId: userId ?? '' }, idempotencyKey }),
    refresh: [KEY],
    onSuccess: ({ updatedUser }) => session.merge(updatedUser),
    onError: (error) => {
      const t = DASHBOARD_TEXTS.get();
      toasts.show({
        kind: 'error',
        title: isNetworkError(error) ? t.toastNetwork : t.toastFailed,
        text: claimError(error),
        durationMs: LONG_TOAST_MS,
      });
    },
  });
}
