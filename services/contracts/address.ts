/** The service that answers an endpoint (services/README.md#who-owns-what). */
export type ServiceName = 'auth' | 'mining' | 'tasks' | 'referrals' | 'rewards' | 'leaderboard' | 'notices';

/** All services, in the order in which they are started. */
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
 * Who may call: anyone; any signed-in user; the user whom the request names in params.id, params.userId or body.userId
 * (another one gets 403); an admin.
 */
export type Access = 'public' | 'user' | 'self' | 'admin';

/** Where an endpoint is and how it is called: all that a browser needs of it. `addresses/` has them, without a schema. */
export interface Address<Id extends string = string> {
  /** Unique name, `mining.start`; the operationId of the API document. */
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below /api with `:name` parameters. */
  readonly path: string;
  readonly access: Access;
}

/** Declares where an endpoint is. By its id a client knows the types of what it sends and gets. */
export const addressOf = <const Id extends string>(
  id: Id,
  method: Address['method'],
  path: string,
  access: Access,
): Address<Id> => ({ id, method, path, access });
