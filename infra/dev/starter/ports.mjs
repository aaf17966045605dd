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

/** Free ports on a host, all different. @param {number} count */
export async function freePorts(count, host = '127.0.0.1') {
  const servers = await Promise.all(Array.from({ length: count }, () => listenSomewhere(host)));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
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
  await new Promise((done) => server.close(done));
  return port;
}

async function listenSomewhere(host) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const server = await listen(randomInt(FIRST_PORT, LAST_PORT), host).catch((error) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return null;
    });
    if (server) return server;
  }
  throw new StartError(`no free port found on ${host} between ${FIRST_PORT} and ${LAST_PORT}`);
}

function listen(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host }, () => resolve(server));
  });
}
