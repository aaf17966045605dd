import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { requireBinary } from './binaries.mjs';
import { secret } from './data-folder.mjs';
import { writeWhole } from './files.mjs';
import { acceptsOn } from './probes.mjs';
import { StartError } from './problems.mjs';

/** The user that makes streams and consumers, with which `npm run dlq` reads dead letters and `npm run topology` asks owners; contracts have the same name. */
export const SETUP_USER = 'setup';
/** The user of auth's own account, and the gateway's; contracts have the same names. */
export const RIGHTS_USER = 'rights';
export const GATEWAY_USER = 'gateway';

const CONNECT_TIMEOUT_MS = 20_000;

const THREE_WAYS = `There are three ways to have it:
  1. install it: https://docs.nats.io/running-a-nats-service/introduction/installation (Debian: apt-get install nats-server),
  2. start as root on Debian, then it is installed from Debian's packages,
  3. point NATS_URL at a NATS server with JetStream.`;

/** @throws {import('./problems.mjs').StartError} naming the three ways when there is no nats-server */
export const natsBinary = () =>
  requireBinary({ name: 'nats-server', debianPackage: 'nats-server', otherwise: THREE_WAYS });

/**
 * What to run for a NATS server of our own: loopback only, JetStream in the data folder, an account of the house with
 * one user per service and the table of subjects it may use, and auth's own account, of which the house sees two
 * subjects (design.md, Events and trust between services; Sign-in and rights).
 * @param {{dataDir: string, port: number, binary: string}} where
 * @returns the process and the address of each user
 */
export async function ownNats({ dataDir, port, binary }) {
  const { SERVICES } = await import('@cord/contracts/endpoint');
  const { gatewayPermissions, HOUSE_ACCOUNT, permissionsFor, rightsPermissions } = await import(
    '@cord/contracts/events/permissions'
  );
  const users = [{ user: SETUP_USER, password: await secret(dataDir, `nats-${SETUP_USER}`) }];
  for (const service of SERVICES) {
    const password = await secret(dataDir, `nats-${service}`);
    users.push({ user: service, password, permissions: serverPermissions(permissionsFor(service)) });
  }
  const password = await secret(dataDir, `nats-${GATEWAY_USER}`);
  users.push({ user: GATEWAY_USER, password, permissions: serverPermissions(gatewayPermissions()) });
  const rights = {
    user: RIGHTS_USER,
    password: await secret(dataDir, `nats-${RIGHTS_USER}`),
    permissions: serverPermissions(rightsPermissions()),
  };
  const folder = join(dataDir, 'nats');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await moveFormerAccount(folder, HOUSE_ACCOUNT);
  const config = join(folder, 'nats.conf');
  await writeWhole(config, await serverConfig({ folder, port, users, rights }));
  const address = new URL(`nats://127.0.0.1:${port}`);
  return {
    command: binary,
    args: ['--config', config],
    url: `nats://${address.host}`,
    // It listens once JetStream is there. No monitor: that tells everybody on the machine who is connected.
    isReady: acceptsOn(port),
    urlFor: (name) => {
      const { password } = [...users, rights].find(({ user }) => user === name);
      return `nats://${name}:${password}@${address.host}`;
    },
  };
}

/** The server's configuration is JSON where it may be: no text of ours is ever read as its syntax. */
export async function serverConfig({ folder, port, users, rights }) {
  const { HOUSE_ACCOUNT, RIGHTS_ACCOUNT, RIGHTS_EXPORTS } = await import('@cord/contracts/events/permissions');
  const { stream, service } = RIGHTS_EXPORTS;
  const account = RIGHTS_ACCOUNT;
  const config = {
    server_name: 'cord',
    listen: `127.0.0.1:${port}`,
    max_payload: 1024 * 1024,
    jetstream: { store_dir: folder, max_memory_store: 256 * 1024 * 1024, max_file_store: 16 * 1024 ** 3 },
    accounts: {
      [HOUSE_ACCOUNT]: {
        jetstream: 'enabled',
        users,
        imports: [{ stream: { account, subject: stream } }, { service: { account, subject: service } }],
      },
      [RIGHTS_ACCOUNT]: {
        users: [rights],
        exports: [
          { stream, accounts: [HOUSE_ACCOUNT] },
          { service, accounts: [HOUSE_ACCOUNT] },
        ],
      },
    },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Earlier releases had no accounts: their streams and consumers go on in the account of the house. */
async function moveFormerAccount(folder, account) {
  const place = (name) => join(folder, 'jetstream', name);
  await rename(place('$G'), place(account)).catch((error) => {
    // Nothing of an earlier release is there, or it was moved before.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
  });
}

/** An answer may go to whoever asked, once; no other inbox can be written to. */
function serverPermissions({ publish, subscribe, allowResponses }) {
  const answers = allowResponses ? { allow_responses: { max: 1, expires: '1m' } } : {};
  return { publish: { allow: publish }, subscribe: { allow: subscribe }, ...answers };
}

/**
 * Makes the streams and consumers of the contract; doing it again changes nothing.
 * @param {string} url with the setup user's password
 * @param {NodeJS.ProcessEnv} env for NATS_CREDS
 * @throws {StartError} when the server cannot be reached
 */
export async function setUpTopology(url, env) {
  const { connectNats } = await import('@cord/kit/nats');
  const { createLogger } = await import('@cord/kit/log');
  const { ensureTopology } = await import('@cord/kit/topology');
  const settings = { NATS_URL: url, NATS_CREDS: env.NATS_CREDS };
  const log = createLogger(SETUP_USER, 'fatal');
  const nats = await connectNats(settings, SETUP_USER, log, AbortSignal.timeout(CONNECT_TIMEOUT_MS)).catch(() => {
    throw new StartError(`NATS at ${new URL(url).host} does not answer within ${CONNECT_TIMEOUT_MS / 1000} s.`);
  });
  try {
    await ensureTopology(nats);
  } finally {
    await nats.drain();
  }
}
