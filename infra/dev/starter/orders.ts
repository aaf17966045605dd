import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { join } from 'node:path';
import { StartError } from './problems.mjs';

/** Maximum length of a unix socket path on Linux, in bytes. */
const PATH_BYTES_MAX = 107;
const ORDER_BYTES_MAX = 64 * 1024;

/** A line of a response. */
type Line = { report: string } | { done: string } | { refused: string };

/** The socket where a running system takes orders from its owner. */
export const ordersSocket = (dataDir: string) => join(dataDir, 'orders.sock');

/**
 * Takes orders, each a line of JSON, one at a time. Responds with lines of {report}, then {done} or {refused}.
 * @param obey throws a StartError to refuse
 * @returns a function that ends it
 * @throws {StartError} when the socket cannot be made
 */
export async function takeOrders<Order>(
  dataDir: string,
  obey: (order: Order, report: (line: string) => void) => Promise<string>,
): Promise<() => Promise<void>> {
  const path = ordersSocket(dataDir);
  if (Buffer.byteLength(path) > PATH_BYTES_MAX)
    throw new StartError(`${path} is too long for a socket: "npx cord service" cannot reach this system.`);
  let isBusy = false;
  const server = createServer(async (incoming, response) => {
    const send = (line: Line) => response.write(`${JSON.stringify(line)}\n`);
    if (isBusy) {
      send({ refused: 'another command is in progress. Try again when it is done.' });
      return response.end();
    }
    isBusy = true;
    try {
      send({ done: await obey((await orderIn(incoming)) as Order, (report) => send({ report })) });
    } catch (error) {
      if (!(error instanceof StartError)) console.error(error);
      send({ refused: (error as Error).message });
    } finally {
      isBusy = false;
      response.end();
    }
  });
  // Removes the socket of a killed start; the lock of the data folder proves that no process listens there.
  await rm(path, { force: true });
  await listenForOwner(server, path);
  return async () => {
    server.close();
    server.closeAllConnections();
    await rm(path, { force: true });
  };
}

/** Only the owner can use the socket from the moment it exists. */
async function listenForOwner(server: Server, path: string) {
  const listening = new Promise((resolve, reject) => server.once('error', reject).once('listening', resolve));
  // listen() makes the socket synchronously, so nothing else of this process sees the changed umask.
  const before = process.umask(0o177);
  server.listen({ path });
  process.umask(before);
  await listening;
}

async function orderIn(incoming: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of incoming) {
    text += chunk;
    if (text.length > ORDER_BYTES_MAX) throw new StartError('the command is too long.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError('the command is not JSON.');
  }
}

/**
 * Sends an order to the system that runs on a data folder, and waits until it is done.
 * @param report called with each progress line
 * @returns the final message
 * @throws {StartError} with the reason when the order is refused, or no system there takes orders
 */
export function sendOrder(dataDir: string, order: unknown, report: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const lost = () => reject(new StartError('the system stopped before the command was done.'));
    const sent = request({ socketPath: ordersSocket(dataDir), method: 'POST' }, (answer) => {
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines.map((text) => JSON.parse(text) as Line)) {
          if ('report' in line) report(line.report);
          else if ('done' in line) resolve(line.done);
          else reject(new StartError(line.refused));
        }
      });
      answer.on('end', lost).on('error', lost);
    });
    sent.on('error', ({ code }: NodeJS.ErrnoException) => {
      const isNobody = code === 'ENOENT' || code === 'ECONNREFUSED';
      if (!isNobody) return lost();
      const none = `no system on ${dataDir} accepts commands; under npm run dev none does.`;
      reject(new StartError(`${none} Start it with npm start, or name its folder with --data.`));
    });
    sent.end(JSON.stringify(order));
  });
}
