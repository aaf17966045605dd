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

/** Source of keys, revocations and roles: auth's store. Read for every response, so that nothing must be kept in sync. */
interface RightsSource {
  /** Returns the current values of these keys; null for a missing one. */
  values(keys: readonly string[]): Promise<RightsEntry[]>;
  /**
   * Returns a page of the whole: the first for null, else the one after `after`, the previous page's `next`. Ended sessions are
   * packed beside the entries (packSessions).
   */
  page(after: string | null): Promise<RightsPage>;
}

/** A replica of auth that announces changes. */
export interface RightsDesk extends Consuming {
  /**
   * Announces that these keys have changed, after the source has the change. A service that misses the message reads them after the
   * next heartbeat.
   * @throws Error when NATS does not accept it now
   */
  publish(keys: readonly string[]): Promise<void>;
}

/** Serves requests for rights, and announces changes and a heartbeat (services/README.md#sign-in-and-rights). */
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
  // The heartbeat does not keep the process alive, the connection does: a benchmark that stands in for auth ends when done.
  const timer = setInterval(beat, RIGHTS_HEARTBEAT_MS).unref();
  beat();

  return {
    async publish(keys) {
      for (let at = 0; at < keys.length; at += RIGHTS_KEYS_MAX) {
        // Counted even when it does not arrive: a service that missed it sees the gap by the heartbeat.
        changes += 1;
        if (nats.connected()) send(keys.slice(at, at + RIGHTS_KEYS_MAX));
      }
      if (!nats.connected()) throw new Error('NATS is unreachable');
      const late = sleep(PUBLISH_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error('NATS did not confirm in time');
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
 * Shares one read of a page among all concurrent requesters, such as services that start together. A read that began before a request may
 * miss changes in between, so later requesters wait for the next read. Services that page together send their requests within
 * milliseconds, and the read waits for them.
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
