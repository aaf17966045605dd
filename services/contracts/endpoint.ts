import { z } from 'zod';
import type { Address, ServiceName } from './address.js';

export { type Access, SERVICES, type ServiceName } from './address.js';

/** Rate limit class; the limits are in `limits.ts`. */
export type RateClass =
  | 'read'
  | 'write'
  | 'save'
  | 'start'
  | 'stop'
  | 'signIn'
  | 'claim'
  | 'guess'
  | 'order'
  | 'rpc'
  | 'report'
  | 'picture'
  | 'badToken';

type Schema = z.ZodType;

/** One call of the API: everything that the guard, the client and the API document need. */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
  Id extends string = string,
> extends Address<Id> {
  service: ServiceName;
  params: Params;
  query: Query;
  body: Body;
  response: Response;
  status: 200 | 201 | 202 | 204;
  summary: string;
  rateClass: RateClass;
  /** Name of the rate limit budget: the endpoint's id, or a name shared by all paths that do the same. */
  budget: string;
  /** Largest body, bytes, when below `BODY_LIMIT_BYTES`. */
  bodyLimitBytes?: number;
  /** May also respond 202 with the same shape, while a credit is pending. */
  alsoAccepted?: boolean;
  /**
   * A write that is allowed while sign-in state is stale: auth or NATS away for over 30 s (services/README.md#sign-in-and-rights). Only
   * for calls that credit the caller's own account by the server's clock and rate. A session revoked meanwhile can then only earn for
   * its owner. Calls that move rights or money to others, or spend any, are 503 then.
   */
  whileStale?: true;
  /**
   * The call ignores an Idempotency-Key and stores no response. Used for a POST that changes nothing, or whose repetition changes
   * nothing more, so that frequent calls and large responses do not fill the store.
   */
  ignoresKey?: true;
  /**
   * The caller must have signed in within `FRESH_SIGN_IN_MS`, else 403 `sign-in-too-old`. This stops a person who finds a signed-in page
   * from moving money, rights or releases, and from erasing or exporting the account. `of` limits it to the bodies for which it returns
   * true. A text is the reason why an admin's write needs none; each admin write has one of the three.
   */
  fresh?: Fresh<z.output<Body>>;
}

/** Calls of an endpoint that need a fresh sign-in: all, some by their body, or none with the reason. */
type Fresh<Body> = true | { of(body: Body): boolean } | string;

/** Empty object: no parameters, no query or no body. */
export const none = z.strictObject({});
export const noContent = z.undefined();

type Defaults = typeof none;

interface Definition<P extends Schema, Q extends Schema, B extends Schema, R extends Schema> {
  params?: P;
  query?: Q;
  body?: B;
  response: R;
  status?: Endpoint['status'];
  summary: string;
  rateClass?: RateClass;
  budget?: string;
  bodyLimitBytes?: number;
  alsoAccepted?: boolean;
  whileStale?: true;
  ignoresKey?: true;
  fresh?: Fresh<z.output<NoInfer<B>>>;
}

/** Declares the call at an address. Omitted parts are empty and reject unknown fields. */
export function endpoint<
  R extends Schema,
  P extends Schema = Defaults,
  Q extends Schema = Defaults,
  B extends Schema = Defaults,
  const Id extends string = string,
>(service: ServiceName, address: Address<Id>, definition: Definition<P, Q, B, R>): Endpoint<P, Q, B, R, Id> {
  const reads = address.method === 'GET';
  return {
    ...definition,
    ...address,
    service,
    params: definition.params ?? (none as unknown as P),
    query: definition.query ?? (none as unknown as Q),
    body: definition.body ?? (none as unknown as B),
    status: definition.status ?? 200,
    rateClass: definition.rateClass ?? (reads ? 'read' : 'write'),
    budget: definition.budget ?? address.id,
  };
}

/** Whether an Idempotency-Key makes a call run once. Public calls store nothing, because the response of a sign-in contains a token. */
export const takesKey = ({ method, access, ignoresKey }: Pick<Endpoint, 'method' | 'access' | 'ignoresKey'>): boolean =>
  method === 'POST' && access !== 'public' && !ignoresKey;

export type ParamsOf<E> = E extends { params: infer S extends Schema } ? z.output<S> : never;
export type QueryOf<E> = E extends { query: infer S extends Schema } ? z.output<S> : never;
export type BodyOf<E> = E extends { body: infer S extends Schema } ? z.output<S> : never;
export type ResponseOf<E> = E extends { response: infer S extends Schema } ? z.output<S> : never;
/** The caller's input, before defaults and coercion. */
export type QueryInputOf<E> = E extends { query: infer S extends Schema } ? z.input<S> : never;
export type BodyInputOf<E> = E extends { body: infer S extends Schema } ? z.input<S> : never;
