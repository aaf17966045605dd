import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a test's server on a free loopback port. @param answer may be added later by `server.on('request')` */
export async function serveHttp(answer?: RequestListener, options: ServerOptions = {}) {
  const server = createServer(options, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    /** Closes open connections, and waits for the end. */
    async stop(): Promise<void> {
      const end = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await end;
    },
  };
}
