import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { natsAccounts } from '@cord/contracts/events/accounts';
import type { Log } from '../log.js';
import { connectNats, type Nats } from '../nats.js';
import { type NatsServer, startNatsServer } from './nats-server.js';

/** A NATS server with the accounts of a running system: streams, services and auth, one user per service. */
export interface AccountsNats extends NatsServer {
  /** URL with user and password: a service, `rights` (auth in its own account) or `setup`, which has all permissions. */
  urlFor(user: string): string;
}

/** @throws Error when nats-server is not on PATH or does not start in time */
export async function startAccountsNats(): Promise<AccountsNats> {
  const accounts = natsAccounts((user) => `p-${user}`);
  const server = await startNatsServer({ config: JSON.stringify({ accounts }) });
  return { ...server, urlFor: (user) => server.url.replace('://', `://${user}:p-${user}@`) };
}

/** The same with a connection per service, and one with all permissions. */
interface ConnectedServices extends AccountsNats {
  admin: Nats;
  as(name: ServiceName): Nats;
}

export async function startConnectedServices(log: Log): Promise<ConnectedServices> {
  const server = await startAccountsNats();
  const connectAs = (user: string) => connectNats({ NATS_URL: server.urlFor(user) }, user, log);
  const admin = await connectAs('setup');
  const services = new Map<ServiceName, Nats>();
  for (const name of SERVICES) services.set(name, await connectAs(name));
  return {
    ...server,
    admin,
    as: (name) => services.get(name) as Nats,
    async stop() {
      for (const one of [admin, ...services.values()]) await one.drain();
      await server.stop();
    },
  };
}
