import { type AddressInfo, createServer, type Server } from 'node:net';
import { StartError } from './problems.mjs';

/**
 * Range of the search. It lies below the ephemeral ports of common systems, whose outgoing sockets could take a port
 * before its use.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;
const PAIRS = (LAST_PORT - FIRST_PORT) / 2;
/**
 * Number of pairs before the range of the next pid; more than a system with two replicas uses. Systems that start
 * together check ports seconds before they listen, so each process begins at a place given by its pid.
 */
const PAIRS_PER_PROCESS = 34;
const TRIES = 100;

/** The next pair that this process tries. */
let pair = (process.pid * PAIRS_PER_PROCESS) % PAIRS;

/** A tuple of that length for the literals 1 and 2, else an array. */
type Ports<Count extends number> = Count extends 1 ? [number] : Count extends 2 ? [number, number] : number[];

/**
 * Finds free ports on a host, all different and even. Processes that search at the same time find others. The port
 * after each is free too, for the operations of a service (services/kit/ops-port.ts).
 */
export async function freePorts<Count extends number>(count: Count, host = '127.0.0.1'): Promise<Ports<Count>> {
  const pairs = await Promise.all(Array.from({ length: count }, () => listenSomewhere(host)));
  const ports = pairs.map(([server]) => portOf(server));
  await Promise.all(pairs.flat().map(close));
  return ports as Ports<Count>;
}

/**
 * @param port 0 takes a free one
 * @returns the port of the origin
 * @throws {StartError} naming a taken port
 */
export async function originPort(port: number, host: string): Promise<number> {
  if (port === 0) return (await freePorts(1, host))[0];
  const server = await listen(port, host).catch((error) => {
    if (error.code === 'EADDRINUSE') {
      throw new StartError(`port ${port} is taken by another program. Choose another one with --port.`);
    }
    throw new StartError(`port ${port} on ${host} cannot be used: ${error.message}`);
  });
  await close(server);
  return port;
}

const portOf = (server: Server | undefined) => (server?.address() as AddressInfo | undefined)?.port ?? 0;

/** Listens on a port and the one after it. */
async function listenSomewhere(host: string): Promise<Server[]> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = FIRST_PORT + 2 * pair;
    pair = (pair + 1) % PAIRS;
    const found = await Promise.allSettled([listen(port, host), listen(port + 1, host)]);
    const servers = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (servers.length === found.length) return servers;
    await Promise.all(servers.map(close));
    const failure = found.find((one) => one.status === 'rejected' && one.reason.code !== 'EADDRINUSE');
    if (failure?.status === 'rejected') throw failure.reason;
  }
  throw new StartError(`no free port found on ${host} between ${FIRST_PORT} and ${LAST_PORT}`);
}

function close(server: Server) {
  return new Promise<unknown>((done) => server.close(done));
}

function listen(port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host }, () => resolve(server));
  });
}
