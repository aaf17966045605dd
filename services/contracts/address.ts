/** The service that handles an endpoint (services/README.md#who-owns-what). */
export type ServiceName = 'auth' | 'mining' | 'tasks' | 'referrals' | 'rewards' | 'leaderboard' | 'notices';

/** All services, in start order. */
export const SERVICES: readonly ServiceName[] = [
  'auth',
  'mining',
  'tasks',
  'referrals',
  'rewards',
  'leaderboard',
  'notices',
];

/**
 * Who may call: anyone; any signed-in user; only the user named in params.id, params.userId or body.userId (anyone
 * else gets 403); an admin.
 */
export type Access = 'public' | 'user' | 'self' | 'admin';

/** Method, path and access of an endpoint: all that a browser needs to call it. `addresses/` declares them without schemas. */
export interface Address<Id extends string = string> {
  /** Unique name, `mining.start`; the operationId of the API document. */
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below /api, with `:name` parameters. */
  readonly path: string;
  readonly access: Access;
}

/** Declares an address. Its id gives a client the types of the request and the response. */
export const addressOf = <const Id extends string>(
  id: Id,
  method: Address['method'],
  path: string,
  access: Access,
): Address<Id> => ({ id, method, path, access });
