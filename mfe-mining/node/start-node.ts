import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { MiningSession } from '@cord/contracts/http/mining';
import { START_DELAY_MS } from '@cord/contracts/rules/timings';
import { isOutcomeUnknown, nodeKey, nodeQuery, type Sdk } from '@cord/sdk';

/** Query key of the node's stats over all sessions. */
export function nodeStatsKey(userId: string) {
  return ['node-stats', userId] as const;
}

/**
 * Starts the node, with a simulated delay (START_DELAY_MS); all views follow the session. Without a response the node
 * is read: if it runs, it was started.
 * @throws ApiError when it was not started, or the outcome is unknown
 */
export async function startNode(sdk: Sdk, userId: string): Promise<MiningSession> {
  // A pending response describes the old state.
  await sdk.queries.cancelQueries({ queryKey: nodeKey(userId), exact: true });
  // Each press is a separate start: an earlier key would return the session of that time.
  const input = { pressed: crypto.randomUUID() };
  const sent = sdk.writes.send({
    name: ['node', 'start'],
    input,
    send: (api, idempotencyKey) => api.call(miningEndpoints.start, { params: { id: userId }, idempotencyKey }),
    refresh: [nodeStatsKey(userId)],
  });
  const delay = new Promise((resolve) => setTimeout(resolve, START_DELAY_MS));
  const [session] = await Promise.all([sent.catch((error) => startedAllTheSame(sdk, userId, error)), delay]);
  if (isHere(sdk, userId)) sdk.session.observeNode(session, { pressed: true });
  return session;
}

async function startedAllTheSame(sdk: Sdk, userId: string, error: unknown): Promise<MiningSession> {
  if (!isOutcomeUnknown(error)) throw error;
  const session = await readNode(sdk, userId).catch(() => null);
  if (session?.status === 'active') return session;
  throw error;
}

/** Reads the node again. @throws ApiError */
export function readNode(
  sdk: Pick<Sdk, 'api' | 'session' | 'clock' | 'queries'>,
  userId: string,
): Promise<MiningSession | null> {
  return sdk.queries.fetchQuery({ ...nodeQuery(sdk, userId), staleTime: 0, retry: false });
}

/** Whether this user is still signed in; a press of one user must not affect the next. */
export function isHere({ session }: Pick<Sdk, 'session'>, userId: string): boolean {
  return session.state.get().user?.id === userId;
}
