import { deviceStorage, earnedBy, type LastSeen, useBalance, useMiningSession, useSdk, useUserId } from '@cord/sdk';
import { useCallback, useEffect, useRef } from 'react';

const KEY = 'cord.last-seen';

/** What this device showed this user before this visit; the difference is what was earned meanwhile, whatever earned it. */
export function readLastSeen(userId: string): LastSeen | null {
  try {
    const kept = JSON.parse(deviceStorage.getItem(KEY) ?? 'null') as Record<string, unknown> | null;
    if (kept?.userId !== userId || typeof kept.micro !== 'string' || typeof kept.atMs !== 'number') return null;
    return { userId, micro: BigInt(kept.micro), atMs: kept.atMs, session: sessionIn(kept.session) };
  } catch {
    return null;
  }
}

/** Earlier releases kept none. */
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

/** While the page is seen it is kept so often, ms. */
export const KEEP_EVERY_MS = 60_000;

/**
 * Keeps on this device what the user saw last: as the page is hidden or left, and ahead of that whenever the node begins, ends or pauses and
 * every minute. A page may go without a message, and on a busy device its last one is cut short: the next return would count from the visit before.
 * @param ahead whether nobody has still to read what was kept before this visit
 */
export function useKeepLastSeen(ahead: boolean): void {
  const userId = useUserId() ?? '';
  const { clock, session } = useSdk();
  const { micro } = useBalance();
  const node = useMiningSession();
  const shown = useRef(micro);
  useEffect(() => {
    if (micro !== null) shown.current = micro;
  }, [micro]);
  const keep = useCallback(() => {
    if (shown.current === null) return;
    const atMs = clock.now();
    const node = session.node.get();
    writeLastSeen({
      userId,
      micro: shown.current,
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
