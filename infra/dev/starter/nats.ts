import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWhole } from '../../../services/kit/whole-file.ts';
import { requireBinary } from './binaries.ts';
import { secret } from './data-folder.ts';
import { acceptsOn } from './probes.ts';

/** The user of auth's own account, and the gateway's; contracts have the same names. */
export const RIGHTS_USER = 'rights';
export const GATEWAY_USER = 'gateway';

/** Of each server, bytes: a message, what JetStream may keep in memory and on disk. */
export const NATS_PAYLOAD_MAX = 1024 * 1024;
export const NATS_MEMORY_MAX = 256 * 1024 * 1024;
export const NATS_FILES_MAX = 16 * 1024 ** 3;
/**
 * A process that stands still or is cut off keeps its part of the requests until the server finds it gone: by these after 4 to 6 s (by
 * NATS's own values after minutes). Its users' calls go through at a second try.
 */
export const NATS_PINGS = { ping_interval: '2s', ping_max: 2 };

/** A message is on the disk before it is acknowledged; without it NATS writes each two minutes, and a loss of power takes the rest. */
export const NATS_DURABLE = { sync_interval: 'always' };
/** The first version that supports it, and refuses a configuration with unknown names. */
const DURABLE_SINCE = { major: 2, minor: 10 };

/**
 * Whether a server of this version can put each message on the disk before it acknowledges it.
 * @param version of `nats-server --version`, such as "nats-server: v2.9.10"
 */
function knowsDurable(version: string): boolean {
  const [, major = 0, minor = 0] = /v(\d+)\.(\d+)\./.exec(version)?.map(Number) ?? [];
  return major > DURABLE_SINCE.major || (major === DURABLE_SINCE.major && minor >= DURABLE_SINCE.minor);
}

const THREE_WAYS = `There are three ways to have it:
  1. install it: https://docs.nats.io/running-a-nats-service/introduction/installation (Debian: apt-get install nats-server),
  2. start as root on Debian, then it is installed from Debian's packages,
  3. point NATS_URL at a NATS server with JetStream.`;

/** @throws {StartError} naming the three ways when there is no nats-server */
export const natsBinary = () =>
  requireBinary({ name: 'nats-server', debianPackage: 'nats-server', otherwise: THREE_WAYS });

/**
 * What to run for a NATS server of our own: loopback only, JetStream in the data folder, the accounts of the contracts.
 * @returns the process and the address of each user
 */
export async function ownNats({ dataDir, port, binary }: { dataDir: string; port: number; binary: string }) {
  const { NATS_USERS, natsAccounts } = await import('@cord/contracts/events/accounts');
  const passwords = new Map<string, string>();
  for (const user of NATS_USERS) passwords.set(user, await secret(dataDir, `nats-${user}`));
  const passwordOf = (user: string) => passwords.get(user) ?? '';
  const folder = join(dataDir, 'nats');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const config = join(folder, 'nats.conf');
  const { stdout: version } = await promisify(execFile)(binary, ['--version']);
  const durable = knowsDurable(version) ? NATS_DURABLE : {};
  // JSON where the server's configuration may be: no text of ours is ever read as its syntax.
  const settings = {
    server_name: 'cord',
    listen: `127.0.0.1:${port}`,
    max_payload: NATS_PAYLOAD_MAX,
    ...NATS_PINGS,
    jetstream: { store_dir: folder, max_memory_store: NATS_MEMORY_MAX, max_file_store: NATS_FILES_MAX, ...durable },
    accounts: natsAccounts(passwordOf),
  };
  await writeWhole(config, `${JSON.stringify(settings, null, 2)}\n`);
  const address = new URL(`nats://127.0.0.1:${port}`);
  return {
    command: binary,
    args: ['--config', config],
    url: `nats://${address.host}`,
    // It listens once JetStream is there. No monitor: that shows to all on the machine who is connected.
    isReady: acceptsOn(port),
    urlFor: (user: string) => `nats://${user}:${passwordOf(user)}@${address.host}`,
  };
}
