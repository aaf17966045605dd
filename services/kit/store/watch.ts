import type { EventEmitter } from 'node:events';
import { STORE_HELD_LOOKS_MAX, STORE_SILENT_LOOKS_MAX } from '../bounds.js';

/** A heartbeat event of the driver; `connectionId` is the server's address. */
interface Sign {
  readonly connectionId: string;
}

/**
 * Watches the store's driver. A healthy one reports every few seconds that it checks a server, or that this failed, and gives
 * up a command after STORE_SOCKET_TIMEOUT_MS. One that does neither is stuck and does not recover.
 * @param client the driver's client
 * @param taken connections in use, with their checkout time
 */
export function watchDriver(client: EventEmitter, taken: ReadonlyMap<string, number>) {
  const newSign = () => ({ looks: 0 });
  // Before the first event the servers' names are unknown.
  const silent = new Map([['', newSign()]]);
  let held = new Map<string, { sinceMs: number; looks: number }>();
  client.on('serverHeartbeatStarted', ({ connectionId }: Sign) => {
    silent.delete('');
    silent.set(connectionId, newSign());
  });
  // A server that has left the set may end a heartbeat late; none starts again.
  for (const end of ['serverHeartbeatSucceeded', 'serverHeartbeatFailed'])
    client.on(end, ({ connectionId }: Sign) => silent.has(connectionId) && silent.set(connectionId, newSign()));
  client.on('serverClosed', ({ address }: { address: string }) => silent.delete(address));

  return {
    /**
     * Checks the driver; call it every STORE_HEARTBEAT_MS. It counts checks, not time, so that a process that was paused
     * does not count as stuck.
     * @returns how the driver is stuck; undefined while it is healthy, even when the store is away
     */
    look(): string | undefined {
      held = new Map([...taken].map(([place, sinceMs]) => [place, { sinceMs, looks: looksAt(place, sinceMs) + 1 }]));
      for (const sign of silent.values())
        if (++sign.looks >= STORE_SILENT_LOOKS_MAX) return 'it no longer sends heartbeats to a server';
      for (const { looks } of held.values()) if (looks >= STORE_HELD_LOOKS_MAX) return 'a command never ends';
      return undefined;
    },
  };

  function looksAt(place: string, sinceMs: number): number {
    const before = held.get(place);
    return before?.sinceMs === sinceMs ? before.looks : 0;
  }
}
