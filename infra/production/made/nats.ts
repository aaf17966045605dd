import { NATS_DURABLE, NATS_FILES_MAX, NATS_MEMORY_MAX, NATS_PAYLOAD_MAX, NATS_PINGS } from '../../dev/starter/nats.ts';

/** Servers of the cluster; each stream has a replica on every one (NATS_REPLICAS). */
export const NATS_SERVERS = ['nats-0', 'nats-1', 'nats-2'];
export const NATS_PORT = 4222;
/** Port of the routes between the servers. */
export const NATS_ROUTES_PORT = 6222;
/** Address of a server's monitor, reachable only inside its own pod or container: a monitor lists the connections to anyone. */
export const NATS_MONITOR = '127.0.0.1:8222';
/** Folder of each server's secrets. */
export const NATS_SECRETS = '/run/secrets';
/** Returns the host name of a server; it has a dot, so that both Kubernetes (pod and service) and compose (an alias) can resolve it. */
export const natsHost = (server: string): string => `${server}.nats`;

/** Returns the name of a user's password in passwords.conf. */
export const passwordName = (user: string): string => `PASSWORD_${user}`;

/**
 * Returns the configuration of each server of the cluster: that of a single machine, plus TLS and routes, with variables instead of passwords.
 */
export async function natsConfig(): Promise<string> {
  // Imported late, because a command may run without a build.
  const { natsAccounts } = await import('@cord/contracts/events/accounts');
  const tls = {
    cert_file: `${NATS_SECRETS}/tls.crt`,
    key_file: `${NATS_SECRETS}/tls.key`,
    ca_file: `${NATS_SECRETS}/ca.crt`,
  };
  const routes = NATS_SERVERS.map((server) => `tls://${natsHost(server)}:${NATS_ROUTES_PORT}`);
  const config = {
    server_name: '$SERVER_NAME',
    listen: `0.0.0.0:${NATS_PORT}`,
    http: NATS_MONITOR,
    max_payload: NATS_PAYLOAD_MAX,
    ...NATS_PINGS,
    tls,
    // Only holders of a certificate of the same authority can join the cluster.
    cluster: { name: 'cord', listen: `0.0.0.0:${NATS_ROUTES_PORT}`, tls: { ...tls, verify: true }, routes },
    jetstream: {
      store_dir: '/data',
      max_memory_store: NATS_MEMORY_MAX,
      max_file_store: NATS_FILES_MAX,
      ...NATS_DURABLE,
    },
  };
  const lines = [
    ...Object.entries(config).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ...accountLines(natsAccounts((user) => `$${passwordName(user)}`)),
  ];
  // NATS reads a path as relative to this file, whatever it begins with.
  return [`include "../..${NATS_SECRETS}/passwords.conf"`, ...lines.map(withVariables), ''].join('\n');
}

/** The configuration of a NATS account. */
interface Account {
  users?: readonly object[];
  [option: string]: unknown;
}

/** Returns one line per user; their permissions are explained in services/contracts/manifests/permissions.txt. */
function accountLines(accounts: Readonly<Record<string, Account>>): string[] {
  const lines = Object.entries(accounts).flatMap(([name, { users, ...others }]) => [
    `  ${name}: {`,
    ...Object.entries(others).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
    ...(users ? ['    users: [', ...users.map((user) => `      ${JSON.stringify(user)}`), '    ]'] : []),
    '  }',
  ]);
  return ['accounts: {', ...lines, '}'];
}

/** Removes the quotes of variables, which NATS requires; subjects that begin with $ keep theirs. */
function withVariables(json: string): string {
  return json.replace(/"(\$(?:SERVER_NAME|PASSWORD_\w+))"/g, '$1');
}
