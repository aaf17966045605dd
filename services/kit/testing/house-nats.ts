import { SERVICES } from '@cord/contracts/endpoint';
import {
  GATEWAY_USER,
  gatewayPermissions,
  HOUSE_ACCOUNT,
  type Permissions,
  permissionsFor,
  RIGHTS_ACCOUNT,
  RIGHTS_EXPORTS,
  RIGHTS_USER,
  rightsPermissions,
} from '@cord/contracts/events/permissions';
import { type NatsServer, startNatsServer } from './nats-server.js';

/** A NATS server as a running system has it: the house's account with a user per service, and auth's own account. */
export interface HouseNats extends NatsServer {
  /** With user and password: a service, `rights` (auth in its own account) or `admin`, who may do everything. */
  urlFor(user: string): string;
}

/** @throws Error when nats-server is not on PATH or does not start in time */
export async function startHouseNats(): Promise<HouseNats> {
  const userOf = (user: string, permissions?: Permissions) => ({
    user,
    password: `p-${user}`,
    ...(permissions && { permissions: serverPermissions(permissions) }),
  });
  const account = RIGHTS_ACCOUNT;
  const { stream, service } = RIGHTS_EXPORTS;
  const accounts = {
    [HOUSE_ACCOUNT]: {
      jetstream: 'enabled',
      users: [
        userOf('admin'),
        userOf(GATEWAY_USER, gatewayPermissions()),
        ...SERVICES.map((name) => userOf(name, permissionsFor(name))),
      ],
      imports: [{ stream: { account, subject: stream } }, { service: { account, subject: service } }],
    },
    [RIGHTS_ACCOUNT]: { users: [userOf(RIGHTS_USER, rightsPermissions())], exports: [{ stream }, { service }] },
  };
  const server = await startNatsServer({ config: JSON.stringify({ accounts }) });
  return { ...server, urlFor: (user) => server.url.replace('://', `://${user}:p-${user}@`) };
}

function serverPermissions({ publish, subscribe }: Permissions) {
  return { publish: { allow: publish }, subscribe: { allow: subscribe }, allow_responses: { max: 1, expires: '1m' } };
}
