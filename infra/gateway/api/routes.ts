import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { routesOf } from '@cord/contracts/manifests/routes';

/** One segment of the paths below /api. */
interface Branch {
  literals: Map<string, Branch>;
  parameter: Branch | undefined;
  service: ServiceName | undefined;
}

/** Which service answers a path below /api; undefined when none does. */
export type OwnerOf = (path: string) => ServiceName | undefined;

/** The calls of every service, by the contract. */
export const DECLARED = SERVICES.flatMap((service) => routesOf(service).map(({ path }) => ({ path, service })));

/**
 * The table of owners: a service that gains an endpoint is reached without a change here. The method does not matter: the
 * owner of a path says itself which methods it has.
 * @throws Error when two services claim one path
 */
export function ownersFrom(claims: readonly { path: string; service: ServiceName }[]): OwnerOf {
  const root = branch();
  for (const { path, service } of claims) claim(root, path, service);
  return (path) => find(root, path.split('/').slice(1), 0);
}

function claim(root: Branch, path: string, service: ServiceName): void {
  let at = root;
  for (const segment of path.split('/').slice(1))
    at = segment.startsWith(':') ? parameterOf(at) : literalOf(at, segment);
  if (at.service && at.service !== service) throw new Error(`${path} is claimed by ${at.service} and ${service}`);
  at.service = service;
}

/** A written segment wins over a parameter, as in the services' own routers. */
function find(at: Branch, segments: string[], index: number): ServiceName | undefined {
  if (index === segments.length) return at.service;
  const segment = segments[index] ?? '';
  const literal = at.literals.get(segment);
  const found = literal && find(literal, segments, index + 1);
  if (found || !at.parameter || segment === '') return found;
  return find(at.parameter, segments, index + 1);
}

function branch(): Branch {
  return { literals: new Map(), parameter: undefined, service: undefined };
}

function parameterOf(at: Branch): Branch {
  at.parameter ??= branch();
  return at.parameter;
}

function literalOf(at: Branch, segment: string): Branch {
  const known = at.literals.get(segment);
  if (known) return known;
  const made = branch();
  at.literals.set(segment, made);
  return made;
}
