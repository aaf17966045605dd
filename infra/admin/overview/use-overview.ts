import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as overviewEndpoints from '@cord/contracts/addresses/overview';
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { EarningsRange } from '@cord/contracts/http/mining';
import { useQuery, useSdk } from '@cord/sdk';
import { REFUNDS } from '../refunds/use-refunds';
import { lookEvery, OPERATORS, useRead } from '../room/reads';

/** How often the room looks while it is on screen, ms. */
const LOOK_MS = 5_000;
/** What changes slowly, ms. */
const SLOW_MS = 30_000;
/** Payments that are counted; beyond it there are more. */
const PAYMENTS_COUNTED = 100;

const often = lookEvery(LOOK_MS);
const seldom = lookEvery(SLOW_MS);

/** What waits, what is off and what went wrong. */
export function useOverview() {
  return useRead(overviewEndpoints.overview, { key: [OPERATORS, 'overview'], ...often });
}

/** How the services are, by the gateway. */
export function useHealth() {
  const { api } = useSdk();
  return useQuery({ queryKey: [OPERATORS, 'health'], queryFn: () => api.health(), retry: false, ...often });
}

/** The public figures of the site. */
export function useFigures() {
  return useRead(leaderboardEndpoints.global, { key: [OPERATORS, 'figures'], ...often });
}

/** What was credited to all accounts in a range. */
export function useIssued(range: EarningsRange) {
  return useRead(overviewEndpoints.issued, {
    key: [OPERATORS, 'issued', range],
    query: { range },
    keepPrevious: true,
    ...seldom,
  });
}

/** When check-ins could not be made, and whose streaks that touched. */
export function useOutages() {
  return useRead(checkinEndpoints.outages, { key: [OPERATORS, 'outages'], ...seldom });
}

/** How many nodes paused in each outage of the check-in. */
export function useOutageNodes() {
  return useRead(overviewEndpoints.outageNodes, { key: [OPERATORS, 'outage-nodes'], ...seldom });
}

/** Nodes that paused in a span, a page of them. @param span ISO 8601 */
export function usePausedNodes(span: { from: string; to: string }, cursor: string | null) {
  const query = { ...span, ...(cursor === null ? {} : { cursor }) };
  return useRead(overviewEndpoints.pausedNodes, {
    key: [OPERATORS, 'paused-nodes', query],
    query,
    keepPrevious: true,
    ...seldom,
  });
}

/** Payments that came too late, twice or wrong and have not gone back. */
export function usePayments() {
  return useRead(rewardEndpoints.refunds, {
    key: [...REFUNDS, 'waiting'],
    query: { status: 'open', limit: String(PAYMENTS_COUNTED) },
    ...seldom,
  });
}
