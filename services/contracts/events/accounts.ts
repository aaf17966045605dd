import { SERVICES } from '../endpoint.js';
import { SETUP_USER } from '../rpc/republish.js';
import { RIGHTS_CHANGED, rightsRpc } from '../rpc/rights.js';
import {
  GATEWAY_USER,
  gatewayPermissions,
  type Permissions,
  permissionsFor,
  RIGHTS_USER,
  rightsPermissions,
} from './permissions.js';
import { STREAMS } from './streams.js';

/** The account of the streams. It has no users: JetStream is reached from the services' account, through the subjects exported here. */
const STREAMS_ACCOUNT = 'CORD';
/** The account of all services, the gateway and the setup user: requests, live messages, presence. */
const SERVICES_ACCOUNT = 'SERVICES';
/** Auth's own account, with one user. It exports the subject of rights changes and that of rights requests. */
const RIGHTS_ACCOUNT = 'AUTH';

/** Every NATS user with a password. */
export const NATS_USERS: readonly string[] = [SETUP_USER, ...SERVICES, GATEWAY_USER, RIGHTS_USER];

/**
 * Returns the accounts of a NATS server's configuration. JetStream responds on any reply subject that a request names, with the rights
 * of its whole account. The streams therefore have an account of their own: responses arrive in the caller's account, where no stream
 * listens, so none can be stored as another service's event.
 * @param passwordOf returns the password of each of `NATS_USERS`
 */
export function natsAccounts(passwordOf: (user: string) => string) {
  const user = (name: string, may?: Permissions) => ({
    user: name,
    password: passwordOf(name),
    ...(may ? { permissions: serverPermissions(may) } : {}),
  });
  const toServices = { accounts: [SERVICES_ACCOUNT] };
  const events = STREAMS.flatMap(({ subjects }) => subjects);
  const streamSubjects = ['$JS.API.>', '$JS.ACK.>', ...events];
  return {
    [STREAMS_ACCOUNT]: {
      jetstream: 'enabled',
      exports: streamSubjects.map((service) => ({
        service,
        ...toServices,
        // One request for messages gets many responses.
        ...(service === '$JS.API.>' ? { response_type: 'stream' } : {}),
      })),
    },
    [SERVICES_ACCOUNT]: {
      users: [
        user(SETUP_USER),
        ...SERVICES.map((name) => user(name, permissionsFor(name))),
        user(GATEWAY_USER, gatewayPermissions()),
      ],
      imports: [
        ...streamSubjects.map((subject) => ({ service: { account: STREAMS_ACCOUNT, subject } })),
        { stream: { account: RIGHTS_ACCOUNT, subject: RIGHTS_CHANGED } },
        { service: { account: RIGHTS_ACCOUNT, subject: rightsRpc.subject } },
      ],
    },
    [RIGHTS_ACCOUNT]: {
      users: [user(RIGHTS_USER, rightsPermissions())],
      exports: [
        { stream: RIGHTS_CHANGED, ...toServices },
        { service: rightsRpc.subject, ...toServices },
      ],
    },
  };
}

/** Allows one response to the caller and no other inbox. */
function serverPermissions({ publish, subscribe, allowResponses }: Permissions) {
  const answers = allowResponses ? { allow_responses: { max: 1, expires: '1m' } } : {};
  return { publish: { allow: publish }, subscribe: { allow: subscribe }, ...answers };
}
