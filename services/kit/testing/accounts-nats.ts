import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { natsAccounts } from '@cord/contracts/events/accounts';
import type { Log } from '../log.js';
import { connectNats, type Nats } from '../nats.js';
import { type NatsServer, startNatsServer } from './nats-server.js';

/** A NATS server as a running system has it: the accounts of streams, services and auth, with a user per service. */
export interface AccountsNats extends NatsServer {
  /** With user and password: a service, `rights` (auth in its own account) or `setup`, who may do everything. */
  urlFor(user: string): string;
}

/** @throws Error when nats-server is not on PATH or does not start in time */
export async function startAccountsNats(): Promise<AccountsNats> {
  const accounts = natsAccounts((user) => `p-${user}`);
  const server = await startNatsServer({ config: JSON.stringify({ accounts }) });
  return { ...server, urlFor: (user) => server.url.replace('://', `://${user}:p-${user}@`) };
}

/** Each service with its own connection, and one that may do everything. */
export interface ConnectedServices {
  admin: Nats;
  as(name: ServiceName): Nats;
  drain(): Promise<void>;
}

export async function connectServices({ urlFor }: AccountsNats, log: Log): Promise<ConnectedServices> {
  const connectAs = (user: string) => connectNats({ NATS_URL: urlFor(user) }, user, log);
  const admin = await connectAs('setup');
  const services = new Map<ServiceName, Nats>();
  for (const name of SERVICES) services.set(name, await connectAs(name));
  return {
    admin,
    as: (name) => services.get(name) as Nats,
    async drain() {
      for (const one of [admin, ...services.values()]) await one.drain();
    },
  };
}
