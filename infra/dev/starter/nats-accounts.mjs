/** The user that makes streams and consumers, with which `npm run dlq` reads dead letters and `npm run topology` asks owners; contracts have the same name. */
export const SETUP_USER = 'setup';
/** The user of auth's own account, and the gateway's; contracts have the same names. */
export const RIGHTS_USER = 'rights';
export const GATEWAY_USER = 'gateway';

/** Everybody who has a password at NATS. @returns {Promise<string[]>} */
export async function natsUsers() {
  const { SERVICES } = await import('@cord/contracts/endpoint');
  return [SETUP_USER, ...SERVICES, GATEWAY_USER, RIGHTS_USER];
}

/**
 * The accounts of a NATS server, as its configuration says them: that of the house with one user per service and the table of subjects
 * it may use, and auth's own, of which the house sees two subjects (design.md, Events and trust between services; Sign-in and rights).
 * @param {Readonly<Record<string, string>>} passwords of natsUsers()
 */
export async function natsAccounts(passwords) {
  const { SERVICES } = await import('@cord/contracts/endpoint');
  const { gatewayPermissions, HOUSE_ACCOUNT, permissionsFor, RIGHTS_ACCOUNT, RIGHTS_EXPORTS, rightsPermissions } =
    await import('@cord/contracts/events/permissions');
  const user = (name, may) => ({
    user: name,
    password: passwords[name],
    ...(may ? { permissions: serverPermissions(may) } : {}),
  });
  const { stream, service } = RIGHTS_EXPORTS;
  const account = RIGHTS_ACCOUNT;
  return {
    [HOUSE_ACCOUNT]: {
      jetstream: 'enabled',
      users: [
        user(SETUP_USER),
        ...SERVICES.map((name) => user(name, permissionsFor(name))),
        user(GATEWAY_USER, gatewayPermissions()),
      ],
      imports: [{ stream: { account, subject: stream } }, { service: { account, subject: service } }],
    },
    [RIGHTS_ACCOUNT]: {
      users: [user(RIGHTS_USER, rightsPermissions())],
      exports: [
        { stream, accounts: [HOUSE_ACCOUNT] },
        { service, accounts: [HOUSE_ACCOUNT] },
      ],
    },
  };
}

/** An answer may go to whoever asked, once; no other inbox can be written to. */
function serverPermissions({ publish, subscribe, allowResponses }) {
  const answers = allowResponses ? { allow_responses: { max: 1, expires: '1m' } } : {};
  return { publish: { allow: publish }, subscribe: { allow: subscribe }, ...answers };
}
