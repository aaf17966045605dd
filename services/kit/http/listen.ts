import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTP_CLOSE_IDLE_EVERY_MS, HTTP_CLOSE_MS_MAX } from '../bounds.js';
import { opsPortOf } from '../ops-port.js';

/** Maximum attempts: a free port whose next one is taken is released, and another one tried. */
const TRIES_MAX = 50;

/**
 * Listens for calls, and for operations on the next port.
 * @param port 0 takes a free one whose next one is free too
 * @returns the URL for calls
 * @throws Error of the system, such as EADDRINUSE
 */
export async function listenBoth(calls: Server, operations: Server, port: number, host: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const taken = await listenOn(calls, port, host);
    try {
      await listenOn(operations, opsPortOf(taken), host);
      return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
    } catch (err) {
      await new Promise<void>((resolve) => calls.close(() => resolve()));
      if (port !== 0 || tries === TRIES_MAX) throw err;
    }
  }
}

async function listenOn(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Stops accepting connections, lets running requests finish, then closes; cuts off what takes too long. */
export async function closeServer(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection becomes idle when its running request ends.
  const idle = setInterval(() => server.closeIdleConnections(), HTTP_CLOSE_IDLE_EVERY_MS);
  const timer = setTimeout(() => server.closeAllConnections(), HTTP_CLOSE_MS_MAX);
  await done;
  clearInterval(idle);
  clearTimeout(timer);
}
