import { RIGHTS_CHANGED, type RightsChanged, rightsChanged } from '@cord/contracts/rpc/rights';
import { RIGHTS_SOURCES_MAX } from '../bounds.js';
import { jsonIn } from '../json.js';
import type { Nats } from '../nats.js';

/** What a replica of auth has told. */
export interface RightsTold extends Pick<RightsChanged, 'keys'> {
  /** Nothing was missed: false after a gap in what that replica told, and for one not heard of before. */
  follows: boolean;
}

/**
 * Hears what auth tells of its rights. A message says no more than what to ask for.
 * @returns ends it
 */
export function hearRights(nats: Pick<Nats, 'nc' | 'log'>, onTold: (told: RightsTold) => void): () => void {
  const heard = new Map<string, number>();
  const subscription = nats.nc.subscribe(RIGHTS_CHANGED, {
    callback: (err, msg) => {
      if (err) {
        nats.log.error({ err }, 'changes of rights cannot be heard');
        return;
      }
      const parsed = rightsChanged.safeParse(jsonIn(msg.string()));
      if (!parsed.success) return;
      const { source, n, keys } = parsed.data;
      const last = heard.get(source);
      heard.delete(source);
      heard.set(source, n);
      for (const oldest of heard.keys()) if (heard.size > RIGHTS_SOURCES_MAX) heard.delete(oldest);
      onTold({ keys, follows: last !== undefined && n === (keys.length > 0 ? last + 1 : last) });
    },
  });
  return () => {
    if (!nats.nc.isClosed()) subscription.unsubscribe();
  };
}
