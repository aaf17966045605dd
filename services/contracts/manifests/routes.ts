import type { Endpoint, ServiceName } from '../endpoint.js';
import { ENDPOINTS } from '../http/index.js';
import { MANIFESTS } from './index.js';

/** A call that a service answers. */
export interface Route {
  method: Endpoint['method'];
  /** Path below /api with `:name` parameters. */
  path: string;
}

/** The calls of a service, by the contract that this was built with. */
export function routesOf(service: ServiceName): Route[] {
  const declared = ENDPOINTS.filter((endpoint) => endpoint.service === service);
  return [...declared, ...(MANIFESTS[service].raw ?? [])].map(({ method, path }) => ({ method, path }));
}
