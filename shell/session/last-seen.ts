import { deviceStorage, earnedBy, type LastSeen, useBalance, useMiningSession, useSdk, useUserId } from '@cord/sdk';
import { useCallback, useEffect, useRef } from 'react';

const KEY = 'cord.last-seen';

/** Returns what this device last showed this user before this visit. The difference is what was earned since. */
export function readLastSeen(userId: string): LastSeen | null {
  try {
    const kept = JSON.parse(deviceStorage.getItem(KEY) ?? 'null') as Record<string, unknown> | null;
    if (kept?.userId !== userId || typeof kept.micro !== 'string' || typeof kept.atMs !== 'number') return null;
    return { userId, micro: BigInt(kept.micro), atMs: kept.atMs, session: sessionIn(kept.session) };
  } catch {
    return null;
  }
}

/** Earlier releases stored no session. */
function sessionIn(kept: unknown): LastSeen['session'] {
  if (kept === null || kept === undefined) return kept;
  const { id, micro } = kept as Record<string, unknown>;
  return typeof id === 'string' && typeof micro === 'string' ? { id, micro: BigInt(micro) } : undefined;
}

export function writeLastSeen(seen: LastSeen): void {
  deviceStorage.setItem(
    KEY,
    JSON.stringify(seen, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  );
}

/** Save interval while the page is visible, ms. */
export const KEEP_EVERY_MS = 60_000;

/**
 * Stores what the user last saw: when the page is hidden or closed, on each change of the node, and every minute. A page may
 * close without an event, or before its last save completes; the next return would then count from an older visit.
 * @param ahead whether the stored value of the previous visit has been read
 */
export function useKeepLastSeen(ahead: boolean): void {
  const userId = useUserId() ?? '';
  const { clock, session } = useSdk();
  const { micro } = useBalance();
  const node = useMiningSession();
  const shown = useRef({ micro, node });
  useEffect(() => {
    if (micro !== null) shown.current = { micro, node };
  }, [micro, node]);
  const keep = useCallback(() => {
    const { micro, node: shownNode } = shown.current;
    if (micro === null) return;
    const atMs = clock.now();
    const now = session.node.get();
    // The session that has just ended is no longer in the store.
    const node = now === undefined ? shownNode : now;
    writeLastSeen({
      userId,
      micro,
      atMs,
      session: node ? { id: node.id, micro: earnedBy(node, atMs) } : node,
    });
  }, [userId, clock, session]);
  useEffect(() => {
    const onHidden = () => {
      if (document.visibilityState === 'hidden') keep();
    };
    document.addEventListener('visibilitychange', onHidden);
    window.addEventListener('pagehide', keep);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [keep]);
  const turn = node === undefined ? null : `${node?.id} ${node?.status}`;
  useEffect(() => {
    if (!ahead || turn === null) return;
    const keepIfSeen = () => {
      if (document.visibilityState !== 'hidden') keep();
    };
    keepIfSeen();
    const timer = setInterval(keepIfSeen, KEEP_EVERY_MS);
    return () => clearInterval(timer);
  }, [ahead, turn, keep]);
}
