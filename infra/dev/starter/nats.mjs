import { execFile } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireBinary } from './binaries.mjs';
import { secret } from './data-folder.mjs';
import { writeWhole } from './files.mjs';
import { GATEWAY_USER, natsAccounts, natsUsers, RIGHTS_USER, SETUP_USER } from './nats-accounts.mjs';
import { acceptsOn } from './probes.mjs';
import { StartError } from './problems.mjs';

export { GATEWAY_USER, RIGHTS_USER, SETUP_USER };

const CONNECT_TIMEOUT_MS = 20_000;

/** Of each server, bytes: a message, what JetStream may keep in memory and on disk. */
export const NATS_PAYLOAD_MAX = 1024 * 1024;
export const NATS_MEMORY_MAX = 256 * 1024 * 1024;
export const NATS_FILES_MAX = 16 * 1024 ** 3;

/** A message is on the disk before it is acknowledged; without it NATS writes each two minutes, and a loss of power takes the rest. */
export const NATS_DURABLE = { sync_interval: 'always' };
/** The first version that knows it, and starts on no configuration that names what it does not know. */
const DURABLE_SINCE = [2, 10];

/**
 * Whether a server of this version can put each message on the disk before it acknowledges it.
 * @param {string} said of `nats-server --version`, such as "nats-server: v2.9.10"
 */
export function knowsDurable(said) {
  const [, major, minor] = /v(\d+)\.(\d+)\./.exec(said)?.map(Number) ?? [];
  return major > DURABLE_SINCE[0] || (major === DURABLE_SINCE[0] && minor >= DURABLE_SINCE[1]);
}

const THREE_WAYS = `There are three ways to have it:
  1. install it: https://docs.nats.io/running-a-nats-service/introduction/installation (Debian: apt-get install nats-server),
  2. start as root on Debian, then it is installed from Debian's packages,
  3. point NATS_URL at a NATS server with JetStream.`;

/** @throws {import('./problems.mjs').StartError} naming the three ways when there is no nats-server */
export const natsBinary = () =>
  requireBinary({ name: 'nats-server', debianPackage: 'nats-server', otherwise: THREE_WAYS });

/**
 * What to run for a NATS server of our own: loopback only, JetStream in the data folder, the accounts of the contracts.
 * @param {{dataDir: string, port: number, binary: string}} where
 * @returns the process and the address of each user
 */
export async function ownNats({ dataDir, port, binary }) {
  const passwords = {};
  for (const user of await natsUsers()) passwords[user] = await secret(dataDir, `nats-${user}`);
  const folder = join(dataDir, 'nats');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { STREAMS_ACCOUNT } = await import('@cord/contracts/events/accounts');
  await moveFormerAccount(folder, STREAMS_ACCOUNT);
  const config = join(folder, 'nats.conf');
  const { stdout: version } = await promisify(execFile)(binary, ['--version']);
  const durable = knowsDurable(version) ? NATS_DURABLE : {};
  await writeWhole(config, serverConfig({ folder, port, durable, accounts: await natsAccounts(passwords) }));
  const address = new URL(`nats://127.0.0.1:${port}`);
  return {
    command: binary,
    args: ['--config', config],
    url: `nats://${address.host}`,
    // It listens once JetStream is there. No monitor: that tells everybody on the machine who is connected.
    isReady: acceptsOn(port),
    urlFor: (name) => `nats://${name}:${passwords[name]}@${address.host}`,
  };
}

/** The server's configuration is JSON where it may be: no text of ours is ever read as its syntax. */
function serverConfig({ folder, port, durable, accounts }) {
  const config = {
    server_name: 'cord',
    listen: `127.0.0.1:${port}`,
    max_payload: NATS_PAYLOAD_MAX,
    jetstream: { store_dir: folder, max_memory_store: NATS_MEMORY_MAX, max_file_store: NATS_FILES_MAX, ...durable },
    accounts,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Earlier releases had no accounts: their streams and consumers go on in the account of the streams. */
async function moveFormerAccount(folder, account) {
  const place = (name) => join(folder, 'jetstream', name);
  await rename(place('$G'), place(account)).catch((error) => {
    // Nothing of an earlier release is there, or it was moved before.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
  });
}

/**
 * Makes the streams and consumers of the contract, as `npx cord streams` does; doing it again changes nothing.
 * @param {string} url with the setup user's password
 * @param {NodeJS.ProcessEnv} env for NATS_CREDS and NATS_REPLICAS
 * @throws {StartError} when the server cannot be reached, or cannot keep so many copies
 */
export async function setUpTopology(url, env) {
  const { copiesIn, ensureTopology } = await import('@cord/kit/topology');
  await asSetup(url, env, (nats) => ensureTopology(nats, { replicas: copiesIn(env.NATS_REPLICAS) }));
}

/**
 * Looks whether the streams and consumers of every service are there, and changes nothing: those of a NATS of many are its operators'.
 * @param {string} url @param {NodeJS.ProcessEnv} env
 * @throws {StartError} that names what is missing
 */
export async function checkTopology(url, env) {
  const [{ SERVICES }, { missingTopology }] = await Promise.all([
    import('@cord/contracts/endpoint'),
    import('@cord/kit/topology/check'),
  ]);
  await asSetup(url, env, async (nats) => {
    const missing = new Set((await Promise.all(SERVICES.map((service) => missingTopology(nats, service)))).flat());
    if (missing.size > 0)
      throw new StartError(
        `NATS has not been set up by npx cord streams. Missing: ${[...missing].join(', ')}. Run it with this NATS_URL.`,
      );
  });
}

async function asSetup(url, env, work) {
  const [{ parseNatsUrl }, { connectNats }, { createLogger }] = await Promise.all([
    import('@cord/kit/config'),
    import('@cord/kit/nats'),
    import('@cord/kit/log'),
  ]);
  const settings = { NATS_URL: url, NATS_CREDS: env.NATS_CREDS };
  const log = createLogger(SETUP_USER, 'fatal');
  const where = parseNatsUrl(url).servers.join(', ');
  const nats = await connectNats(settings, SETUP_USER, log, AbortSignal.timeout(CONNECT_TIMEOUT_MS)).catch(() => {
    throw new StartError(`NATS at ${where} does not answer within ${CONNECT_TIMEOUT_MS / 1000} s.`);
  });
  try {
    await work(nats);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`NATS at ${where} does not keep the streams: ${error.message}.`);
  } finally {
    await nats.drain();
  }
}
