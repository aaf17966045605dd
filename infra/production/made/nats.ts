import { NATS_DURABLE, NATS_FILES_MAX, NATS_MEMORY_MAX, NATS_PAYLOAD_MAX, NATS_PINGS } from '../../dev/starter/nats.ts';

/** Servers of the cluster; each stream has a copy on every one (NATS_REPLICAS). */
export const NATS_SERVERS = ['nats-0', 'nats-1', 'nats-2'];
export const NATS_PORT = 4222;
/** Where the servers meet each other. */
export const NATS_ROUTES_PORT = 6222;
/** Where a server states how it is, to who is inside its own pod or container alone: a monitor lists the connections to everybody. */
export const NATS_MONITOR = '127.0.0.1:8222';
/** Where each server finds its secrets. */
export const NATS_SECRETS = '/run/secrets';
/** With a dot, so that Kubernetes (pod and service) and compose (an alias) both know it. */
export const natsHost = (server: string): string => `${server}.nats`;

/** The name under which passwords.conf has the password of a user. */
export const passwordName = (user: string): string => `PASSWORD_${user}`;

/**
 * The configuration of each server of the cluster: as on one machine, with TLS, routes and the names of passwords instead of passwords.
 */
export async function natsConfig(): Promise<string> {
  // Not before the build: a command may run without one.
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
    // Only who has a certificate of the same authority is a server of the cluster.
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

/** What NATS is configured with of an account. */
interface Account {
  users?: readonly object[];
  [option: string]: unknown;
}

/** A user a line: what each may publish and subscribe to stands in services/contracts/manifests/permissions.txt. */
function accountLines(accounts: Readonly<Record<string, Account>>): string[] {
  const lines = Object.entries(accounts).flatMap(([name, { users, ...others }]) => [
    `  ${name}: {`,
    ...Object.entries(others).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
    ...(users ? ['    users: [', ...users.map((user) => `      ${JSON.stringify(user)}`), '    ]'] : []),
    '  }',
  ]);
  return ['accounts: {', ...lines, '}'];
}

/** A variable is one only without quotes; subjects that begin with $ keep theirs. */
function withVariables(json: string): string {
  return json.replace(/"(\$(?:SERVER_NAME|PASSWORD_\w+))"/g, '$1');
}
