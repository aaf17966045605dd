import { rewardEndpoints } from '@cord/contracts/http/rewards';
import {
  isNetworkError,
  LONG_TOAST_MS,
  messageOf,
  newIdempotencyKey,
  useMiningSession,
  useMutation,
  useQuery,
  useQueryClient,
  useSdk,
  useUserId,
} from '@cord/sdk';
import { Button, formatCord, Notice } from '@cord/ui';
import { Check, Gift } from 'lucide-react';
import { useRef } from 'react';

/** What the compensation banner says (spec parts 2, 4 and 8). */
const TEXTS = {
  offer: (amount: string) => `Compensation: ${amount} CORD`,
  offerText: 'A one-time credit. Each account can claim it once.',
  claim: (amount: string) => `Claim ${amount} CORD`,
  processing: 'Processing...',
  claimed: 'Compensation Claimed',
  claimedText: (amount: string) => `${amount} CORD added to your balance.`,
  failed: 'Failed to claim compensation',
  network: 'Network error. Please try again.',
} as const;

const KEY = ['compensation'];

/** The one-time compensation: offered, being claimed, claimed; not there where it is not open to the user. */
export function CompensationBanner() {
  const { api } = useSdk();
  const userId = useUserId();
  const running = useMiningSession()?.status === 'active';
  const status = useQuery({
    queryKey: [...KEY, userId],
    queryFn: ({ signal }) => api.call(rewardEndpoints.compensationStatus, { signal }),
    enabled: userId !== null,
  }).data;
  const claim = useClaim(userId);

  if (status === undefined || (!status.available && !status.claimed)) return null;
  if (status.claimed) {
    return (
      <Notice tone="live" icon={<Check size={20} />} title={TEXTS.claimed} announce={claim.isSuccess}>
        {TEXTS.claimedText(formatCord(status.amount))}
      </Notice>
    );
  }
  const whole = formatCord(status.amount, { decimals: 0 });
  return (
    <Notice
      icon={<Gift size={20} />}
      title={TEXTS.offer(whole)}
      error={claim.error ? claimError(claim.error) : null}
      action={
        <Button
          variant={running ? 'primary' : 'secondary'}
          loading={claim.isPending}
          loadingText={TEXTS.processing}
          needsServer
          onClick={() => claim.mutate()}
        >
          {TEXTS.claim(whole)}
        </Button>
      }
    >
      {TEXTS.offerText}
    </Notice>
  );
}

function claimError(error: Error): string {
  return isNetworkError(error) ? TEXTS.network : messageOf(error, TEXTS.failed);
}

function useClaim(userId: string | null) {
  const { api, session, toasts } = useSdk();
  const queries = useQueryClient();
  // One key for one claim, however often it is tried: the server answers the same again.
  const key = useRef(newIdempotencyKey());
  return useMutation({
    mutationFn: () =>
      api.call(rewardEndpoints.compensation, { body: { userId: userId ?? '' }, idempotencyKey: key.current }),
    onSuccess: async ({ updatedUser }) => {
      session.merge(updatedUser);
      await queries.invalidateQueries({ queryKey: KEY });
    },
    onError: (error) => {
      key.current = newIdempotencyKey();
      toasts.show({
        kind: 'error',
        title: isNetworkError(error) ? 'Network Error' : 'Claim Failed',
        text: claimError(error),
        durationMs: LONG_TOAST_MS,
      });
    },
  });
}
