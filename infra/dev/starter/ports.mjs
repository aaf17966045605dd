import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StartError } from './problems.mjs';

/**
 * Where free ports are looked for: below what systems give to outgoing connections, whose sockets could take a port
 * between this look and its use.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;
const TRIES = 100;

/**
 * Free ports on a host, all different and even: the next one of each is free, too, for the operations of a service (services/kit/ops-port.mjs).
 * @param {number} count
 */
export async function freePorts(count, host = '127.0.0.1') {
  const pairs = await Promise.all(Array.from({ length: count }, () => listenSomewhere(host)));
  const ports = pairs.map(([server]) => server.address().port);
  await Promise.all(pairs.flat().map(close));
  return ports;
}

/**
 * @param {number} port 0 takes a free one
 * @param {string} host
 * @returns {Promise<number>} the port that the origin will have
 * @throws {StartError} naming a taken port
 */
export async function originPort(port, host) {
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

/** On a port and the one after it. */
async function listenSomewhere(host) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = 2 * randomInt(FIRST_PORT / 2, LAST_PORT / 2);
    const found = await Promise.allSettled([listen(port, host), listen(port + 1, host)]);
    const servers = found.flatMap(({ value }) => value ?? []);
    if (servers.length === found.length) return servers;
    await Promise.all(servers.map(close));
    const failure = found.find(({ reason }) => reason && reason.code !== 'EADDRINUSE');
    if (failure) throw failure.reason;
  }
  throw new StartError(`no free port found on ${host} between ${FIRST_PORT} and ${LAST_PORT}`);
}

function close(server) {
  return new Promise((done) => server.close(done));
}

function listen(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host }, () => resolve(server));
  });
}
