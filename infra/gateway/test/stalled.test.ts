import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endStalled } from '../front.js';

const BYTES = 32 * 1024 * 1024;

/** Starts a server whose responses exceed the buffers of a connection. @returns its port, and its open connections */
async function front(stalledMs: number) {
  const whole: RequestListener = (_, response) => void response.end(Buffer.alloc(BYTES));
  const server = createServer(whole).listen(0, '127.0.0.1');
  endStalled(server, stalledMs);
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  onTestFinished(() => server.closeAllConnections());
  await vi.waitUntil(() => server.listening);
  return { port: (server.address() as AddressInfo).port, open };
}

function reader(port: number): Socket {
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  client.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return client;
}

test('a client that does not read its response is disconnected', async () => {
  const { port, open } = await front(300);
  reader(port);
  await vi.waitUntil(() => open.size === 1);
  await vi.waitFor(() => expect(open.size).toBe(0), { timeout: 5_000 });
});

test('a client that reads slowly gets the whole response', async () => {
  const { port, open } = await front(1_000);
  const client = reader(port);
  let bytes = 0;
  client.on('data', (part) => {
    bytes += part.length;
    client.pause();
    setTimeout(() => client.resume(), 5);
  });
  client.resume();
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(BYTES), { timeout: 20_000 });
  expect(open.size).toBe(1);
});
