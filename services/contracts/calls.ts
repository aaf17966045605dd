import type { Address } from './address.js';
import type * as endpoint from './endpoint.js';
import type { EndpointById } from './http/index.js';

/* Request and response types by address. Types only, so a caller bundles no schema. */

type At<A extends Address> = EndpointById[A['id'] & keyof EndpointById];

export type ParamsOf<A extends Address> = endpoint.ParamsOf<At<A>>;
export type ResponseOf<A extends Address> = endpoint.ResponseOf<At<A>>;
/** The caller's input, before defaults and coercion. */
export type QueryInputOf<A extends Address> = endpoint.QueryInputOf<At<A>>;
export type BodyInputOf<A extends Address> = endpoint.BodyInputOf<At<A>>;
