import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxied connection that can be cut without either end noticing, like a network that drops every packet. */
export interface Cable {
  url: string;
  cut(): void;
  /** Forwards everything held back meanwhile. */
  mend(): void;
  stop(): Promise<void>;
}

/** @param to `scheme://host:port` of the server */
export async function startCable(to: string): Promise<Cable> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      if (isCut) one.pause();
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => one.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(to);
  address.port = String((server.address() as AddressInfo).port);
  return {
    url: address.href.replace(/\/$/, ''),
    cut() {
      isCut = true;
      for (const one of sockets) one.pause();
    },
    mend() {
      isCut = false;
      for (const one of sockets) one.resume();
    },
    async stop() {
      for (const one of sockets) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
