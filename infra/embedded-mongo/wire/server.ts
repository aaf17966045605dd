import { type AddressInfo, createServer, type Server } from 'node:net';
import { Connection, type ConnectionOptions } from './connection.js';

export interface WireServer {
  port: number;
  connections: () => number;
  close: () => Promise<void>;
}

/** Options of a server and its connections. */
export interface Listening extends ConnectionOptions {
  /** 0 selects a free port. */
  port: number;
}

/** Listens on loopback only: what is sent is not encrypted. */
export async function listen({ port, ...options }: Listening): Promise<WireServer> {
  const open = new Set<Connection>();
  let nextId = 1;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, nextId++, options);
    open.add(connection);
    socket.on('close', () => open.delete(connection));
  });
  await started(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => open.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([...open].map((connection) => connection.finish()));
      await closed;
    },
  };
}

function started(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
