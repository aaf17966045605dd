import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { openApiDocument, type Route } from '@cord/contracts/openapi';
import { shapeOf } from './routes.js';

/** A path that a service says and another one owns. */
export interface RefusedRoute {
  path: string;
  service: ServiceName;
  owner: ServiceName;
}

export interface Owners {
  /** By the shape of the path. */
  owners: ReadonlyMap<string, ServiceName>;
  refused: readonly RefusedRoute[];
}

/**
 * Who owns which path. Whoever has a path keeps it for as long as it says it; of what nobody had it is the one whom the contract
 * names, else the first of SERVICES.
 * @param said what each service says now, or said last, or has by the contract
 * @param before owners until now
 * @param declared owners by the contract that the gateway was built with
 */
export function ownersOf(
  said: ReadonlyMap<ServiceName, readonly Route[]>,
  before: ReadonlyMap<string, ServiceName>,
  declared: ReadonlyMap<string, ServiceName>,
): Owners {
  const claims = new Map<string, Map<ServiceName, string>>();
  for (const service of SERVICES)
    for (const { path } of said.get(service) ?? []) {
      const shape = shapeOf(path);
      const claim = claims.get(shape) ?? new Map<ServiceName, string>();
      claims.set(shape, claim.set(service, path));
    }
  const owners = new Map<string, ServiceName>();
  const refused: RefusedRoute[] = [];
  for (const [shape, claim] of claims) {
    const candidates = [before.get(shape), declared.get(shape), ...claim.keys()];
    const owner = candidates.find((service) => service !== undefined && claim.has(service)) as ServiceName;
    owners.set(shape, owner);
    for (const [service, path] of claim) if (service !== owner) refused.push({ path, service, owner });
  }
  return { owners, refused };
}

/** Owners by what the services have in the contract. @throws Error when two of them have one path */
export function declaredOwners(declared: ReadonlyMap<ServiceName, readonly Route[]>): ReadonlyMap<string, ServiceName> {
  const { owners, refused } = ownersOf(declared, new Map(), new Map());
  const [first] = refused;
  if (first) throw new Error(`${first.path} is claimed by ${first.owner} and ${first.service}`);
  return owners;
}

/** The API document of what the owners say. */
export function documentOf(said: ReadonlyMap<ServiceName, readonly Route[]>, owners: Owners['owners']) {
  const routes = SERVICES.flatMap((service) =>
    (said.get(service) ?? []).filter(({ path }) => owners.get(shapeOf(path)) === service),
  );
  return openApiDocument(routes);
}
