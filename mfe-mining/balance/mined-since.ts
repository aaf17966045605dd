import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { MiningSession } from '@cord/contracts/http/mining';
import { type Away, earnedBy, type LastSeen, type Sdk } from '@cord/sdk';

/** micro-CORD, and what it is made of. */
export interface Mined {
  micro: bigint;
  /** What the session that ran at the end of the visit before has earned since; null where none ran. */
  wentOnMicro: bigint | null;
  /** What was begun since has earned. */
  begunMicro: bigint;
}

/** More sessions than anybody starts in a few days; the endpoint gives no more at once. */
const SESSIONS = 100;

/** What the node has earned since; null where it cannot be known. @throws ApiError */
export async function fetchMined(
  { api }: Pick<Sdk, 'api'>,
  { before }: Away,
  signal: AbortSignal,
): Promise<Mined | null> {
  const input = { params: { id: before.userId }, query: { limit: String(SESSIONS) }, signal };
  return minedSince(before, await api.call(miningEndpoints.history, input));
}

/**
 * What the node's sessions have earned since this device showed them last, exact by session; each up to the moment of its answer.
 * @param sessions newest first; null where they do not reach back far enough, or what ran then is not known
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
  // What was shown then may have been a micro-CORD more than the ledger's remainder gave.
  const wentOnMicro = wentOn !== null && wentOn < 0n ? 0n : wentOn;
  return { micro: (wentOnMicro ?? 0n) + begunMicro, wentOnMicro, begunMicro };
}
