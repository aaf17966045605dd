import type { EventEmitter } from 'node:events';
import { STORE_HELD_LOOKS_MAX, STORE_SILENT_LOOKS_MAX } from '../bounds.js';

/** The driver checks a server; `connectionId` is the server's address. */
interface Sign {
  readonly connectionId: string;
}

/**
 * Watches over the store's driver: one that is well reports every few seconds that it checks a server, or that this failed, and
 * gives up a command after STORE_SOCKET_TIMEOUT_MS. One that does neither has lost itself and does not come back.
 * @param client the driver's client
 * @param taken connections in use by their place, with the time of taking
 */
export function watchDriver(client: EventEmitter, taken: ReadonlyMap<string, number>) {
  const newSign = () => ({ looks: 0 });
  // Until the first sign the names of the servers are unknown.
  const silent = new Map([['', newSign()]]);
  let held = new Map<string, { sinceMs: number; looks: number }>();
  client.on('serverHeartbeatStarted', ({ connectionId }: Sign) => {
    silent.delete('');
    silent.set(connectionId, newSign());
  });
  // Of a server that has left the set the end of a heartbeat may come late; none is begun again.
  for (const end of ['serverHeartbeatSucceeded', 'serverHeartbeatFailed'])
    client.on(end, ({ connectionId }: Sign) => silent.has(connectionId) && silent.set(connectionId, newSign()));
  client.on('serverClosed', ({ address }: { address: string }) => silent.delete(address));

  return {
    /**
     * One look at the driver, to be taken every STORE_HEARTBEAT_MS. Looks are counted and not time, so that a process that
     * was stopped for a while is not taken for lost.
     * @returns how the driver has lost itself; undefined while it is well, also when the store is away
     */
    look(): string | undefined {
      held = new Map([...taken].map(([place, sinceMs]) => [place, { sinceMs, looks: looksAt(place, sinceMs) + 1 }]));
      for (const sign of silent.values())
        if (++sign.looks >= STORE_SILENT_LOOKS_MAX) return 'it sends a server of the store no requests any more';
      for (const { looks } of held.values())
        if (looks >= STORE_HELD_LOOKS_MAX) return 'a command to the store never ends';
      return undefined;
    },
  };

  function looksAt(place: string, sinceMs: number): number {
    const before = held.get(place);
    return before?.sinceMs === sinceMs ? before.looks : 0;
  }
}
