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

/** The account of the streams. It has no users: all of JetStream is reached from the services' account, by the subjects that it gives out. */
const STREAMS_ACCOUNT = 'CORD';
/** The account of all services, the gateway and the user that sets up: requests, live messages, presence. */
const SERVICES_ACCOUNT = 'SERVICES';
/** Auth's own account, with one user: it exports the subject of changes and the one of requests for rights. */
const RIGHTS_ACCOUNT = 'AUTH';

/** Everybody who has a password at NATS. */
export const NATS_USERS: readonly string[] = [SETUP_USER, ...SERVICES, GATEWAY_USER, RIGHTS_USER];

/**
 * The accounts of a NATS server, as its configuration takes them. JetStream answers on any reply subject that a request names, with the
 * rights of its whole account. So the streams are alone in theirs: its answers arrive in the account of the caller, where no stream
 * listens, and none of them can be stored as another's event.
 * @param passwordOf of each of `NATS_USERS`
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
        // One request for messages is answered by many.
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

/** An answer may go to the caller, once; no other inbox can be written to. */
function serverPermissions({ publish, subscribe, allowResponses }: Permissions) {
  const answers = allowResponses ? { allow_responses: { max: 1, expires: '1m' } } : {};
  return { publish: { allow: publish }, subscribe: { allow: subscribe }, ...answers };
}
