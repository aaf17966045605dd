import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWhole } from '../../../services/kit/whole-file.ts';
import { requireBinary } from './binaries.ts';
import { secret } from './data-folder.ts';
import { acceptsOn } from './probes.ts';

/** Users of auth's own account and of the gateway. The contracts use the same names. */
export const RIGHTS_USER = 'rights';
export const GATEWAY_USER = 'gateway';

/** Limits of each server in bytes: message size, JetStream memory, JetStream disk. */
export const NATS_PAYLOAD_MAX = 1024 * 1024;
export const NATS_MEMORY_MAX = 256 * 1024 * 1024;
export const NATS_FILES_MAX = 16 * 1024 ** 3;
/**
 * Detects a stalled or disconnected process after 4 to 6 s; NATS's own values take minutes. Until then the server still
 * routes its share of the requests there; a second attempt succeeds.
 */
export const NATS_PINGS = { ping_interval: '2s', ping_max: 2 };

/** Syncs each message to disk before its acknowledgement. By default a power loss can destroy two minutes. */
export const NATS_DURABLE = { sync_interval: 'always' };
/** The first version that supports it; older ones refuse unknown names in a configuration. */
const DURABLE_SINCE = { major: 2, minor: 10 };

/**
 * Whether a server of this version can sync each message to disk before it acknowledges it.
 * @param version output of `nats-server --version`, such as "nats-server: v2.9.10"
 */
function knowsDurable(version: string): boolean {
  const [, major = 0, minor = 0] = /v(\d+)\.(\d+)\./.exec(version)?.map(Number) ?? [];
  return major > DURABLE_SINCE.major || (major === DURABLE_SINCE.major && minor >= DURABLE_SINCE.minor);
}

const THREE_WAYS = `There are three ways to get it:
  1. install it: https://docs.nats.io/running-a-nats-service/introduction/installation (Debian: apt-get install nats-server),
  2. start as root on Debian: it is then installed from Debian's packages,
  3. point NATS_URL at a NATS server with JetStream.`;

/** @throws {StartError} naming the three ways when there is no nats-server */
export const natsBinary = () =>
  requireBinary({ name: 'nats-server', debianPackage: 'nats-server', otherwise: THREE_WAYS });

/**
 * Returns the specification of our own NATS server: loopback only, JetStream in the data folder, the accounts of the contracts.
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
  // JSON is valid server configuration, and its quoting keeps our text from being parsed as syntax.
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
    // It listens once JetStream is ready. It has no monitor port: that shows all connections to any local user.
    isReady: acceptsOn(port),
    urlFor: (user: string) => `nats://${user}:${passwordOf(user)}@${address.host}`,
  };
}
