import { natsAccounts } from '@cord/contracts/events/accounts';
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
