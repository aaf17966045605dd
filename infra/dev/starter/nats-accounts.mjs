/** The user that makes streams and consumers, with which `npx cord dead-letters` reads dead letters and `npx cord streams` asks owners; contracts have the same name. */
export const SETUP_USER = 'setup';
/** The user of auth's own account, and the gateway's; contracts have the same names. */
export const RIGHTS_USER = 'rights';
export const GATEWAY_USER = 'gateway';

/** Everybody who has a password at NATS. @returns {Promise<readonly string[]>} */
export async function natsUsers() {
  return (await import('@cord/contracts/events/accounts')).NATS_USERS;
}

/**
 * The accounts of a NATS server, as its configuration says them.
 * @param {Readonly<Record<string, string>>} passwords of natsUsers()
 */
export async function natsAccounts(passwords) {
  const accounts = await import('@cord/contracts/events/accounts');
  return accounts.natsAccounts((user) => passwords[user]);
}
