import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { openApiDocument, type Route } from '@cord/contracts/openapi';
import { overlap, shapeOf } from './routes.js';

/** A path that a service lists and another one owns, or that would take calls of another one's. */
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
 * Who owns which path. Whoever has a path keeps it for as long as it lists it; of what nobody had it is the one whom the contract
 * names, else the first of SERVICES. A path that is neither had nor in the contract and could take calls of another service's is refused: a
 * literal beside its parameter, or a parameter beside its literal.
 * @param listed the routes that each service lists now, or listed last, or has by the contract
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

/** Which services list a path of each shape, and how each writes it. */
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

/** Another service that has a path of which this one would take calls. */
function ownerBeside(shape: string, service: ServiceName, owners: Owners['owners']): ServiceName | undefined {
  return [...owners].find(([other, owner]) => owner !== service && overlap(shape, other))?.[1];
}

/** Owners by what the services have in the contract. @throws Error when two of them have one path */
export function declaredOwners(declared: ReadonlyMap<ServiceName, readonly Route[]>): ReadonlyMap<string, ServiceName> {
  return new Map(
    [...claimsIn(declared)].map(([shape, claim]) => {
      const [[owner], other] = [...claim] as [[ServiceName, string], [ServiceName, string]?];
      if (other) throw new Error(`${other[1]} is claimed by ${owner} and ${other[0]}`);
      return [shape, owner];
    }),
  );
}

/** The API document of the routes of the owners. */
export function documentOf(listed: ReadonlyMap<ServiceName, readonly Route[]>, owners: Owners['owners']) {
  const routes = SERVICES.flatMap((service) =>
    (listed.get(service) ?? []).filter(({ path }) => owners.get(shapeOf(path)) === service),
  );
  return openApiDocument(routes);
}
