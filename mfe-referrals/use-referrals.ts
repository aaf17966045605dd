import * as referralEndpoints from '@cord/contracts/addresses/referrals';
import type { ResponseOf } from '@cord/contracts/calls';
import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';
import { REFERRALS_STALE_MS } from '@cord/contracts/rules/timings';
import {
  ApiError,
  isNetworkError,
  LIVE_CALM_MS,
  messageOf,
  type TextsOf,
  useFreshness,
  useQuery,
  useRefreshUser,
  useSdk,
  useSessionValue,
  useTexts,
  useUserId,
  useWrite,
} from '@cord/sdk';
import { formatCord } from '@cord/ui';
import { TEXTS } from './texts';

export type ReferralStats = ResponseOf<typeof referralEndpoints.stats>;
export type Friend = ReferralStats['referralHistory'][number];

/** Returns the user's code, friends and earnings from them: stale after 2 min. */
export function useReferralStats() {
  const { api } = useSdk();
  const userId = useUserId();
  return useQuery({
    queryKey: ['referrals', userId],
    meta: { live: { referrals: LIVE_CALM_MS } },
    queryFn: ({ signal }) => api.call(referralEndpoints.stats, { params: { userId: userId ?? '' }, signal }),
    enabled: userId !== null,
    ...useFreshness({ staleMs: REFERRALS_STALE_MS }),
  });
}

/** Details of a failed read. */
export const failedText = (t: TextsOf<typeof TEXTS>, error: Error | null) =>
  error && t.loadError({ message: messageOf(error, t.failed) });

export interface EnterCode {
  submit(typed: string): void;
  processing: boolean;
  /** Why the last code was refused. */
  error: string | null;
  /** Result of the accepted code. */
  success: string | null;
}

/** Returns a form that enters a friend's code: once per account. */
export function useEnterCode(): EnterCode {
  const t = useTexts(TEXTS);
  const { session } = useSdk();
  const userId = useUserId();
  const own = useSessionValue(({ user }) => user?.referralCode ?? null);
  const refreshUser = useRefreshUser();
  const mutation = useWrite(
    async (api, typed: string, idempotencyKey) => {
      const referralCode = normaliseCode(typed);
      if (userId === null || !isReferralCode(referralCode)) throw new Error(t.invalid);
      if (referralCode === own) throw new Error(t.ownCode);
      return api.call(referralEndpoints.process, { body: { userId, referralCode }, idempotencyKey });
    },
    {
      key: ['referrals', 'process', userId],
      refresh: [['referrals', userId]],
      onDone(answer) {
        session.merge(answer.updatedUser);
        void refreshUser();
      },
    },
  );
  return {
    submit: (typed) => {
      if (typed.trim() !== '') mutation.press(typed);
    },
    processing: mutation.isPending,
    error: mutation.error ? failureText(mutation.error) : null,
    success: mutation.data ? successText(mutation.data) : null,
  };
}

/** Returns the server's text of a refusal; the call's own text without a response. */
function failureText(error: unknown): string {
  const t = TEXTS.get();
  const broken = isNetworkError(error) || (error instanceof ApiError && error.status >= 500);
  return broken ? t.processFailed : messageOf(error, t.processFailed);
}

function successText(answer: ResponseOf<typeof referralEndpoints.process>): string {
  const t = TEXTS.get();
  const own = formatCord(answer.referredBonus);
  const referrer = formatCord(answer.referrerBonus, { decimals: 0 });
  return answer.referrerStatus === 'credited'
    ? t.success({ amount: own, referrer })
    : t.successPending({ amount: own, referrer });
}
