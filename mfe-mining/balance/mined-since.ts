import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { MiningSession } from '@cord/contracts/http/mining';
import { type Away, earnedBy, type LastSeen, type Sdk } from '@cord/sdk';

/** micro-CORD, with its components. */
export interface Mined {
  micro: bigint;
  /** Earnings since of the session that ran at the end of the previous visit; null when none ran. */
  wentOnMicro: bigint | null;
  /** Earnings of the sessions started since. */
  begunMicro: bigint;
}

/** Maximum number of sessions that the endpoint returns; more than anybody starts in a few days. */
const SESSIONS = 100;

/** Returns the node's earnings since; null when unknown. @throws ApiError */
export async function fetchMined(
  { api }: Pick<Sdk, 'api'>,
  { before }: Away,
  signal: AbortSignal,
): Promise<Mined | null> {
  const input = { params: { id: before.userId }, query: { limit: String(SESSIONS) }, signal };
  return minedSince(before, await api.call(miningEndpoints.history, input));
}

/**
 * Returns the sessions' earnings since this device last showed them, each up to the time of its response.
 * @param sessions newest first
 * @returns null when they do not reach back far enough, or the session of then is unknown
 */
export function minedSince({ session, atMs }: LastSeen, sessions: readonly MiningSession[]): Mined | null {
  if (session === undefined) return null;
  const isBefore = ({ startedAt }: MiningSession) => Date.parse(startedAt) <= atMs;
  if (sessions.length >= SESSIONS && !sessions.some(isBefore)) return null;
  const earned = (each: MiningSession) => earnedBy(each, Date.parse(each.serverTime));
  const same = sessions.find(({ id }) => id === session?.id);
  const wentOn = session === null || same === undefined ? null : earned(same) - session.micro;
  const begunMicro = sessions
    .filter((each) => each.id !== session?.id && !isBefore(each))
    .reduce((sum, each) => sum + earned(each), 0n);
  // The shown value may have exceeded the ledger's by a micro-CORD of remainder.
  const wentOnMicro = wentOn !== null && wentOn < 0n ? 0n : wentOn;
  return { micro: (wentOnMicro ?? 0n) + begunMicro, wentOnMicro, begunMicro };
}
