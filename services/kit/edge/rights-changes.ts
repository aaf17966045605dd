import { RIGHTS_CHANGED, type RightsChanged, rightsChanged } from '@cord/contracts/rpc/rights';
import { RIGHTS_SOURCES_MAX } from '../bounds.js';
import { jsonIn } from '../json.js';
import type { Nats } from '../nats.js';

/** One message of a replica of auth. */
interface RightsChange extends Pick<RightsChanged, 'keys'> {
  /** Nothing was missed: false after a gap in the messages of that replica, and for a replica that is new here. */
  follows: boolean;
}

/**
 * Subscribes to changes of rights. A message names only the keys to read.
 * @returns ends it
 */
export function subscribeToRights(
  nats: Pick<Nats, 'nc' | 'log'>,
  onChange: (change: RightsChange) => void,
): () => void {
  const counts = new Map<string, number>();
  const subscription = nats.nc.subscribe(RIGHTS_CHANGED, {
    callback: (err, msg) => {
      if (err) {
        nats.log.error({ err }, 'changes of rights cannot be received');
        return;
      }
      const parsed = rightsChanged.safeParse(jsonIn(msg.string()));
      if (!parsed.success) return;
      const { source, n, keys } = parsed.data;
      const last = counts.get(source);
      counts.delete(source);
      counts.set(source, n);
      for (const oldest of counts.keys()) if (counts.size > RIGHTS_SOURCES_MAX) counts.delete(oldest);
      onChange({ keys, follows: last !== undefined && n === (keys.length > 0 ? last + 1 : last) });
    },
  });
  return () => {
    if (!nats.nc.isClosed()) subscription.unsubscribe();
  };
}
