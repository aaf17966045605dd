import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  RIGHTS_CHANGED,
  RIGHTS_KEYS_MAX,
  type RightsChanged,
  type RightsEntry,
  type RightsPage,
  rightsRpc,
} from '@cord/contracts/rpc/rights';
import { PUBLISH_TIMEOUT_MS, RIGHTS_HEARTBEAT_MS, RIGHTS_PAGE_GATHER_MS } from '../bounds.js';
import type { Consuming } from '../nats/consume.js';
import type { Nats } from '../nats.js';

/** Where keys, revocations and roles stand: auth's store. Read anew for every answer, so that nothing has to be kept equal. */
interface RightsSource {
  /** What these keys are now; null for what is not there. */
  values(keys: readonly string[]): Promise<RightsEntry[]>;
  /**
   * A page of the whole: the first for null, else what follows `after`, which was the last page's `next`. Ended sessions go packed, beside the
   * entries (packSessions).
   */
  page(after: string | null): Promise<RightsPage>;
}

/** One replica of auth that announces changes. */
export interface RightsDesk extends Consuming {
  /**
   * Announces that these keys have changed, after the change stands in the source. A service that misses the message reads them after
   * the next heartbeat.
   * @throws Error when NATS does not take it now
   */
  publish(keys: readonly string[]): Promise<void>;
}

/** Answers requests for rights, and announces changes and its own heartbeat (services/README.md#sign-in-and-rights). */
export function serveRights(nats: Nats, source: RightsSource): RightsDesk {
  const life = randomBytes(16).toString('hex');
  let changes = 0;
  const send = (keys: string[]): void => {
    const message: RightsChanged = { source: life, n: changes, keys };
    nats.nc.publish(RIGHTS_CHANGED, JSON.stringify(message));
  };
  const beat = (): void => {
    if (nats.connected()) send([]);
  };
  const pages = shared((after) => source.page(after));
  const serving = nats.serve(rightsRpc, async (request) =>
    'keys' in request ? { entries: await source.values(request.keys), next: null } : pages(request.after),
  );
  // The connection keeps a process alive, its heartbeat does not: a benchmark that stands in for auth ends when it is done.
  const timer = setInterval(beat, RIGHTS_HEARTBEAT_MS).unref();
  beat();

  return {
    async publish(keys) {
      for (let at = 0; at < keys.length; at += RIGHTS_KEYS_MAX) {
        // Counted also when it does not arrive: a service that missed it sees the gap by the heartbeat.
        changes += 1;
        if (nats.connected()) send(keys.slice(at, at + RIGHTS_KEYS_MAX));
      }
      if (!nats.connected()) throw new Error('NATS is away');
      const late = sleep(PUBLISH_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error('NATS did not take it in time');
      });
      await Promise.race([nats.nc.flush(), late]);
    },
    async stop() {
      clearInterval(timer);
      await serving.stop();
    },
  };
}

/**
 * One read of a page for all who request it at a time, as every service does that starts with the others. A read that has begun before
 * the request may lack what was changed in between: who comes while it runs waits for the next one. Services that go on from page to page
 * together send their requests within some milliseconds, and are waited for.
 */
function shared(read: (after: string | null) => Promise<RightsPage>): typeof read {
  const running = new Map<string | null, Promise<RightsPage>>();
  const next = new Map<string | null, Promise<RightsPage>>();
  const begin = (after: string | null): Promise<RightsPage> => {
    const page = read(after).finally(() => {
      if (running.get(after) === page) running.delete(after);
    });
    running.set(after, page);
    return page;
  };
  return (after) => {
    const waits = next.get(after);
    if (waits) return waits;
    const others = after === null ? undefined : sleep(RIGHTS_PAGE_GATHER_MS, undefined, { ref: false });
    const before = running.get(after)?.catch(() => undefined);
    const page = Promise.all([others, before]).then(() => {
      next.delete(after);
      return begin(after);
    });
    next.set(after, page);
    return page;
  };
}
