import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { knowsDurable, natsBinary } from '../../dev/starter/nats.mjs';
import { freePorts } from '../../dev/starter/ports.mjs';
import { acceptsOn } from '../../dev/starter/probes.mjs';
import { storeOf } from '../../dev/starter/store-of.mjs';
import { NATS_PORT, NATS_ROUTES_PORT, NATS_SECRETS, NATS_SERVERS, natsHost } from '../../production/made/nats.mjs';
import { makeSecrets } from '../../production/secrets.mjs';
import { awaited } from './awaited.mjs';

const CONFIG = new URL('../../production/kubernetes/base/nats/nats.conf', import.meta.url);

/**
 * What a deployment stands on, on this machine: three NATS servers with the configuration of the deployment, the document store of one machine, and the secrets that lead there.
 * @param {string} work
 * @returns {Promise<{secrets: string, close: () => Promise<void>}>} secrets: a folder as `npm run secrets` makes it
 */
export async function startStores(work) {
  const secrets = join(work, 'secrets');
  await makeSecrets(secrets);
  const data = join(work, 'data');
  mkdirSync(join(data, 'store'), { recursive: true });
  const store = await storeOf(data, {});
  const nats = await natsCluster(work, secrets);
  const leads = (path, text) => {
    chmodSync(join(secrets, path), 0o644);
    writeFileSync(join(secrets, path), text);
  };
  const { readdirSync } = await import('node:fs');
  for (const who of readdirSync(secrets))
    for (const name of readdirSync(join(secrets, who))) {
      if (name === 'MONGODB_URI') leads(`${who}/${name}`, store.uri);
      if (/^NATS_/.test(name)) leads(`${who}/${name}`, nats.placed(readFileSync(join(secrets, who, name), 'utf8')));
    }
  leads('auth/DISCORD_CLIENT_SECRET', 'of nobody');
  // Nobody listens there: rewards works without the chain.
  leads('rewards/SOLANA_RPC_URL', 'http://127.0.0.1:9');
  const close = async () => {
    await nats.close();
    await store.close();
  };
  return { secrets, close };
}

/** Ports of this machine in the place of names, folders in the place of volumes; all else is the configuration as it lies there. */
async function natsCluster(work, secrets) {
  const ports = await freePorts(2 * NATS_SERVERS.length);
  const clientPort = (index) => ports[2 * index];
  const routesPort = (index) => ports[2 * index + 1];
  const placed = (text) =>
    NATS_SERVERS.reduce(
      (sum, server, index) =>
        sum
          .replaceAll(`${natsHost(server)}:${NATS_PORT}`, `localhost:${clientPort(index)}`)
          .replaceAll(`${natsHost(server)}:${NATS_ROUTES_PORT}`, `localhost:${routesPort(index)}`),
      text,
    );
  const binary = await natsBinary();
  // An older server than the image's starts on nothing that it does not know.
  const isDurable = knowsDurable(execFileSync(binary, ['--version'], { encoding: 'utf8' }));
  const known = (text) => (isDurable ? text : text.replace(/,"sync_interval":"always"/, ''));
  const servers = NATS_SERVERS.map((name, index) => {
    const folder = join(work, name);
    const config = join(folder, 'etc/nats/nats.conf');
    mkdirSync(dirname(config), { recursive: true });
    mkdirSync(join(folder, 'run'), { recursive: true });
    symlinkSync(join(secrets, 'nats'), join(folder, NATS_SECRETS));
    const text = known(placed(readFileSync(CONFIG, 'utf8')))
      .replaceAll(`"${NATS_SECRETS}/`, `"${folder}${NATS_SECRETS}/`)
      .replace('"/data"', JSON.stringify(join(folder, 'data')))
      .replace(`0.0.0.0:${NATS_PORT}`, `127.0.0.1:${clientPort(index)}`)
      .replace(`0.0.0.0:${NATS_ROUTES_PORT}`, `127.0.0.1:${routesPort(index)}`);
    writeFileSync(config, text);
    return spawn(binary, ['--config', config], { env: { PATH: process.env.PATH, SERVER_NAME: name }, stdio: 'ignore' });
  });
  for (const index of NATS_SERVERS.keys())
    await awaited(acceptsOn(clientPort(index)), `${NATS_SERVERS[index]} listens`);
  const close = async () => {
    for (const server of servers) server.kill('SIGTERM');
    await Promise.all(
      servers.map((server) => server.exitCode ?? new Promise((resolve) => server.once('exit', resolve))),
    );
  };
  return { placed, close };
}
