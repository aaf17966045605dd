import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import {
  isNetworkError,
  LIVE_SOON_MS,
  messageOf,
  useQuery,
  useRefreshUser,
  useSdk,
  useSessionValue,
  useUserId,
  useWrite,
} from '@cord/sdk';
import { TEXTS } from './texts';

export interface Claimed {
  /** CORD. */
  amount: number;
  /** Time of the claim, ms since epoch; null if it was just made. */
  atMs: number | null;
}

export type CordClaim =
  /** Not a badge holder, or still unknown: no offer. */
  | { status: 'hidden' }
  | { status: 'offered'; error: string | null; claim(): void }
  | { status: 'claiming' }
  | { status: 'claimed'; claimed: Claimed };

/** The badge holder's one-time 10,000 CORD: unclaimed, in progress or claimed. */
export function useCordClaim(): CordClaim {
  const { api, session, queries, clock } = useSdk();
  const userId = useUserId() ?? '';
  const refreshUser = useRefreshUser();
  const holder = useSessionValue(({ user }) => user?.hasbadgeofhonor) ?? false;
  const historyKey = ['cord-claims', userId];
  const history = useQuery({
    queryKey: historyKey,
    meta: { live: { orders: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(rewardEndpoints.cordClaimHistory, { params: { userId }, signal }),
    enabled: holder,
  });
  const mutation = useWrite(
    (to, _press: null, idempotencyKey) => to.call(rewardEndpoints.cordClaim, { body: { userId }, idempotencyKey }),
    {
      key: ['cord-claims', 'claim', userId],
      // Also after a refusal: it may have been claimed in another tab, which the history shows.
      refresh: [historyKey],
      onDone(answer) {
        session.merge(answer.updatedUser);
        // Before the history is refetched, the reward that was just paid must not be offered.
        const at = new Date(clock.now()).toISOString();
        queries.setQueryData(historyKey, { claims: [{ amount: answer.amountClaimed, at }] });
        void refreshUser();
      },
    },
  );

  if (!holder) return { status: 'hidden' };
  if (mutation.isPending) return { status: 'claiming' };
  if (mutation.data) return { status: 'claimed', claimed: { amount: mutation.data.amountClaimed, atMs: null } };
  const [last] = history.data?.claims ?? [];
  if (last) return { status: 'claimed', claimed: { amount: last.amount, atMs: Date.parse(last.at) } };
  if (history.data === undefined) return { status: 'hidden' };
  return {
    status: 'offered',
    error: mutation.error ? failureText(mutation.error) : null,
    claim: () => mutation.press(null),
  };
}

function failureText(error: unknown): string {
  return isNetworkError(error) ? TEXTS.get().networkError : messageOf(error, TEXTS.get().claimFailed);
}
