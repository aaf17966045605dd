import { RIGHTS_CHANGED, type RightsChanged, rightsChanged } from '@cord/contracts/rpc/rights';
import { RIGHTS_HEARTBEAT_MS, RIGHTS_SILENT_MS, RIGHTS_SOURCES_MAX } from '../bounds.js';
import { jsonIn } from '../json.js';
import type { Nats } from '../nats.js';

/** One message of a replica of auth, or the detection that one is silent. */
interface RightsChange extends Pick<RightsChanged, 'keys'> {
  /** Nothing was missed: false after a gap in a replica's messages, for a replica new here, and when one is silent while others are not. */
  follows: boolean;
}

/**
 * Subscribes to changes of rights. A message names only the keys to read.
 * @returns a function that unsubscribes
 */
export function subscribeToRights(
  nats: Pick<Nats, 'nc' | 'log'>,
  onChange: (change: RightsChange) => void,
): () => void {
  /** The last message of each replica, the latest at the end. */
  const counts = new Map<string, { n: number; atMs: number }>();
  const subscription = nats.nc.subscribe(RIGHTS_CHANGED, {
    callback: (err, msg) => {
      if (err) {
        nats.log.error({ err }, 'the subscription to changes of rights failed');
        return;
      }
      const parsed = rightsChanged.safeParse(jsonIn(msg.string()));
      if (!parsed.success) return;
      const { source, n, keys } = parsed.data;
      const last = counts.get(source)?.n;
      counts.delete(source);
      counts.set(source, { n, atMs: performance.now() });
      for (const oldest of counts.keys()) if (counts.size > RIGHTS_SOURCES_MAX) counts.delete(oldest);
      onChange({ keys, follows: last !== undefined && n === (keys.length > 0 ? last + 1 : last) });
    },
  });
  const timer = setInterval(() => {
    const silent = [...counts].filter(([, { atMs }]) => atMs < performance.now() - RIGHTS_SILENT_MS);
    for (const [source] of silent) counts.delete(source);
    // When none is left, the next one is new here.
    if (silent.length > 0 && counts.size > 0) onChange({ keys: [], follows: false });
  }, RIGHTS_HEARTBEAT_MS).unref();
  return () => {
    clearInterval(timer);
    if (!nats.nc.isClosed()) subscription.unsubscribe();
  };
}
