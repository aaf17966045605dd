import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as overviewEndpoints from '@cord/contracts/addresses/overview';
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { EarningsRange } from '@cord/contracts/http/mining';
import { useQuery, useSdk } from '@cord/sdk';
import { REFUNDS } from '../refunds/use-refunds';
import { OPERATORS, pollEvery, useRead } from '../room/reads';

/** Polling interval while the view is on screen, ms. */
const LOOK_MS = 5_000;
/** Polling interval of what changes slowly, ms. */
const SLOW_MS = 30_000;
/** Maximum number of payments counted. */
const PAYMENTS_COUNTED = 100;

const often = pollEvery(LOOK_MS);
const seldom = pollEvery(SLOW_MS);

/** Reads queues, switches that are off, and errors. */
export function useOverview() {
  return useRead(overviewEndpoints.overview, { key: [OPERATORS, 'overview'], ...often });
}

/** Reads the health of the services from the gateway. */
export function useHealth() {
  const { api } = useSdk();
  return useQuery({ queryKey: [OPERATORS, 'health'], queryFn: () => api.health(), retry: false, ...often });
}

/** Reads the public figures of the site. */
export function useFigures() {
  return useRead(leaderboardEndpoints.global, { key: [OPERATORS, 'figures'], ...often });
}

/** Reads the CORD credited to all accounts in a range. */
export function useIssued(range: EarningsRange) {
  return useRead(overviewEndpoints.issued, {
    key: [OPERATORS, 'issued', range],
    query: { range },
    keepPrevious: true,
    ...seldom,
  });
}

/** Reads the outages of the check-in and the streaks that they affected. */
export function useOutages() {
  return useRead(checkinEndpoints.outages, { key: [OPERATORS, 'outages'], ...seldom });
}

/** Reads how many nodes paused in each outage of the check-in. */
export function useOutageNodes() {
  return useRead(overviewEndpoints.outageNodes, { key: [OPERATORS, 'outage-nodes'], ...seldom });
}

/** Reads a page of the nodes that paused in a time span. @param span ISO 8601 */
export function usePausedNodes(span: { from: string; to: string }, cursor: string | null) {
  const query = { ...span, ...(cursor === null ? {} : { cursor }) };
  return useRead(overviewEndpoints.pausedNodes, {
    key: [OPERATORS, 'paused-nodes', query],
    query,
    keepPrevious: true,
    ...seldom,
  });
}

/** Reads payments that were late, duplicate or wrong and have not been refunded. */
export function usePayments() {
  return useRead(rewardEndpoints.refunds, {
    key: [...REFUNDS, 'waiting'],
    query: { status: 'open', limit: String(PAYMENTS_COUNTED) },
    ...seldom,
  });
}
