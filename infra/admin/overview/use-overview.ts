import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as overviewEndpoints from '@cord/contracts/addresses/overview';
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { EarningsRange } from '@cord/contracts/http/mining';
import { keepPreviousData, useQuery, useSdk } from '@cord/sdk';
import { lookEvery } from '../room/look-every';
import { OPERATORS } from '../room/query-key';

/** How often the room looks while it is on screen, ms. */
const LOOK_MS = 5_000;
/** What changes slowly, ms. */
const SLOW_MS = 30_000;
/** Payments that are counted; beyond it there are more. */
export const PAYMENTS_COUNTED = 100;

const often = lookEvery(LOOK_MS);
const seldom = lookEvery(SLOW_MS);

/** What waits, what is off and what went wrong. */
export function useOverview() {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'overview'],
    queryFn: ({ signal }) => api.call(overviewEndpoints.overview, { signal }),
    ...often,
  });
}

/** How the services are, by the gateway. */
export function useHealth() {
  const { api } = useSdk();
  return useQuery({ queryKey: [OPERATORS, 'health'], queryFn: () => api.health(), retry: false, ...often });
}

/** The public figures of the site. */
export function useFigures() {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'figures'],
    queryFn: ({ signal }) => api.call(leaderboardEndpoints.global, { signal }),
    ...often,
  });
}

/** What was credited to all accounts in a range. */
export function useIssued(range: EarningsRange) {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'issued', range],
    queryFn: ({ signal }) => api.call(overviewEndpoints.issued, { query: { range }, signal }),
    placeholderData: keepPreviousData,
    ...seldom,
  });
}

/** When check-ins could not be made, and whose streaks that touched. */
export function useOutages() {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'outages'],
    queryFn: ({ signal }) => api.call(checkinEndpoints.outages, { signal }),
    ...seldom,
  });
}

/** How many nodes paused in each outage of the check-in. */
export function useOutageNodes() {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'outage-nodes'],
    queryFn: ({ signal }) => api.call(overviewEndpoints.outageNodes, { signal }),
    ...seldom,
  });
}

/** Nodes that paused in a span, a page of them. @param span ISO 8601 */
export function usePausedNodes(span: { from: string; to: string }, cursor: string | null) {
  const { api } = useSdk();
  const query = { ...span, ...(cursor === null ? {} : { cursor }) };
  return useQuery({
    queryKey: [OPERATORS, 'paused-nodes', query],
    queryFn: ({ signal }) => api.call(overviewEndpoints.pausedNodes, { query, signal }),
    placeholderData: keepPreviousData,
    ...seldom,
  });
}

/** Payments that came too late, twice or wrong and have not gone back. */
export function usePayments() {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'payments'],
    queryFn: ({ signal }) =>
      api.call(rewardEndpoints.refunds, { query: { status: 'open', limit: String(PAYMENTS_COUNTED) }, signal }),
    ...seldom,
  });
}
