import { createServer } from 'node:net';
import { StartError } from './problems.mjs';

/** Free ports on a host, all different. @param {number} count */
export async function freePorts(count, host = '127.0.0.1') {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0, host)));
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
  const server = await listen(port, host).catch((error) => {
    if (error.code === 'EADDRINUSE') {
      throw new StartError(`port ${port} is taken by another program. Choose another one with --port.`);
    }
    throw new StartError(`port ${port} on ${host} cannot be used: ${error.message}`);
  });
  const taken = server.address().port;
  await new Promise((done) => server.close(done));
  return taken;
}

function listen(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host }, () => resolve(server));
  });
}
