import { z } from 'zod';
import type { Address, ServiceName } from './address.js';

export { type Access, SERVICES, type ServiceName } from './address.js';

/** Class of rate limit; the numbers stand in `limits.ts`. */
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

/** One call of the API: everything that guard, client and API document need. */
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
  /** What its calls are counted under: its id, or one name for all paths that do the same. */
  budget: string;
  /** Largest body, bytes, where that is less than `BODY_LIMIT_BYTES`. */
  bodyLimitBytes?: number;
  /** Also answers 202 with the same shape (a credit that is still on its way). */
  alsoAccepted?: boolean;
  /**
   * A write that goes on while sign-in state is stale: auth or NATS away for over 30 s (services/README.md#sign-in-and-rights). Only for
   * what credits the caller's own account by the server's own clock and rate. A session that was revoked meanwhile can do no more by
   * it than bring its owner what the owner's node earned; all that moves rights or money to others, or spends any, is 503 then.
   */
  whileStale?: true;
  /**
   * An Idempotency-Key is ignored, and no answer is kept: of a POST that changes nothing, or whose repetition changes nothing more. So a
   * call that is made often, or whose answers are large, fills no store.
   */
  ignoresKey?: true;
  /**
   * The caller must have signed in within `FRESH_SIGN_IN_MS`, else 403 `sign-in-too-old`: a person who finds a signed-in page moves no money,
   * no rights and no release with it, and erases or takes along no account. `of`: only for the bodies that it returns true for. A text
   * is the reason why a write of an admin needs none; each has one of the three.
   */
  fresh?: Fresh<z.output<Body>>;
}

/** For which calls of an endpoint the sign-in must be fresh: all, some by their body, or none and why not. */
type Fresh<Body> = true | { of(body: Body): boolean } | string;

/** No parameters, no query, no body, no content. */
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

/** Declares what a service answers at an address; the parts left out are empty and refuse unknown fields. */
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

/** Whether a call is done once under an Idempotency-Key. Of a public one nothing is kept: the answer of a sign-in has a token in it. */
export const takesKey = ({ method, access, ignoresKey }: Pick<Endpoint, 'method' | 'access' | 'ignoresKey'>): boolean =>
  method === 'POST' && access !== 'public' && !ignoresKey;

export type ParamsOf<E> = E extends { params: infer S extends Schema } ? z.output<S> : never;
export type QueryOf<E> = E extends { query: infer S extends Schema } ? z.output<S> : never;
export type BodyOf<E> = E extends { body: infer S extends Schema } ? z.output<S> : never;
export type ResponseOf<E> = E extends { response: infer S extends Schema } ? z.output<S> : never;
/** What a caller writes: before defaults and coercion. */
export type QueryInputOf<E> = E extends { query: infer S extends Schema } ? z.input<S> : never;
export type BodyInputOf<E> = E extends { body: infer S extends Schema } ? z.input<S> : never;
