import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { openApiDocument, type Route } from '@cord/contracts/openapi';
import { overlap, shapeOf } from './routes.js';

/** A listed path that another service owns, or that would match another service's calls. */
export interface RefusedRoute {
  path: string;
  service: ServiceName;
  owner: ServiceName;
}

export interface Owners {
  /** Owner by shape of the path. */
  owners: ReadonlyMap<string, ServiceName>;
  refused: readonly RefusedRoute[];
}

/**
 * Returns the owner of each path. A service keeps a path for as long as it lists it; a free path goes to the service
 * in the contract, else to the first of SERVICES. A new path outside the contract is refused if it could match
 * another service's calls: a literal beside its parameter, or a parameter beside its literal.
 * @param listed current or last listed routes of each service, or those of the contract
 * @param before owners until now
 * @param declared owners by the contract that the gateway was built with
 */
export function ownersOf(
  listed: ReadonlyMap<ServiceName, readonly Route[]>,
  before: ReadonlyMap<string, ServiceName>,
  declared: ReadonlyMap<string, ServiceName>,
): Owners {
  const claims = claimsIn(listed);
  const owners = new Map<string, ServiceName>();
  const refused: RefusedRoute[] = [];
  for (const [shape, claim] of claims) {
    const settled = [before.get(shape), declared.get(shape)].find((service) => service && claim.has(service));
    if (settled) owners.set(shape, settled);
  }
  for (const [shape, claim] of claims)
    for (const [service, path] of claim) {
      const owner = owners.get(shape) ?? ownerBeside(shape, service, owners);
      if (owner === undefined) owners.set(shape, service);
      else if (owner !== service) refused.push({ path, service, owner });
    }
  return { owners, refused };
}

/** Returns which services list a path of each shape, with each service's spelling. */
function claimsIn(listed: ReadonlyMap<ServiceName, readonly Route[]>): Map<string, Map<ServiceName, string>> {
  const claims = new Map<string, Map<ServiceName, string>>();
  for (const service of SERVICES)
    for (const { path } of listed.get(service) ?? []) {
      const shape = shapeOf(path);
      const claim = claims.get(shape) ?? new Map<ServiceName, string>();
      claims.set(shape, claim.set(service, path));
    }
  return claims;
}

/** Returns another service with a path whose calls this one would match. */
function ownerBeside(shape: string, service: ServiceName, owners: Owners['owners']): ServiceName | undefined {
  return [...owners].find(([other, owner]) => owner !== service && overlap(shape, other))?.[1];
}

/** Returns the owners by the contract. @throws Error when two services have the same path */
export function declaredOwners(declared: ReadonlyMap<ServiceName, readonly Route[]>): ReadonlyMap<string, ServiceName> {
  return new Map(
    [...claimsIn(declared)].map(([shape, claim]) => {
      const [[owner], other] = [...claim] as [[ServiceName, string], [ServiceName, string]?];
      if (other) throw new Error(`${other[1]} is claimed by ${owner} and ${other[0]}`);
      return [shape, owner];
    }),
  );
}

/** Returns the API document of all owned routes. */
export function documentOf(listed: ReadonlyMap<ServiceName, readonly Route[]>, owners: Owners['owners']) {
  const routes = SERVICES.flatMap((service) =>
    (listed.get(service) ?? []).filter(({ path }) => owners.get(shapeOf(path)) === service),
  );
  return openApiDocument(routes);
}
