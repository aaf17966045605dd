/** The result of looking up a path below /api. */
export interface Leaf<Owner> {
  owner: Owner;
  /** The path with nameless parameters: different parameter names make no different paths. */
  shape: string;
}

/** A node of the path tree below /api, for one segment. */
interface Branch<Owner> {
  literals: Map<string, Branch<Owner>>;
  parameter: Branch<Owner> | undefined;
  leaf: Leaf<Owner> | undefined;
}

/** Returns the shape of a path, e.g. `/users/:` for `/users/:id`. */
export function shapeOf(path: string): string {
  return path.replace(/:[^/]*/g, ':');
}

/** Whether a path can match both shapes: then one would take calls of the other. */
export function overlap(one: string, other: string): boolean {
  const [first, second] = [one.split('/'), other.split('/')];
  return (
    first.length === second.length &&
    first.every((segment, at) => segment === ':' || second[at] === ':' || segment === second[at])
  );
}

/**
 * Builds the path lookup. Methods are ignored: the owner of a path itself refuses unsupported ones.
 * @param owners by the shape of the path
 * @returns a lookup of a path below /api; undefined for an unowned path
 */
export function pathsOf<Owner>(owners: ReadonlyMap<string, Owner>): (path: string) => Leaf<Owner> | undefined {
  const root: Branch<Owner> = branch();
  for (const [shape, owner] of owners) {
    let at = root;
    for (const segment of shape.split('/').slice(1)) at = segment === ':' ? parameterOf(at) : literalOf(at, segment);
    at.leaf = { owner, shape };
  }
  return (path) => find(root, path.split('/').slice(1), 0);
}

/** A literal segment takes precedence over a parameter, as in the services' own routers. */
function find<Owner>(at: Branch<Owner>, segments: string[], index: number): Leaf<Owner> | undefined {
  if (index === segments.length) return at.leaf;
  const segment = segments[index] ?? '';
  const literal = at.literals.get(segment);
  const found = literal && find(literal, segments, index + 1);
  if (found || !at.parameter || segment === '') return found;
  return find(at.parameter, segments, index + 1);
}

function branch<Owner>(): Branch<Owner> {
  return { literals: new Map(), parameter: undefined, leaf: undefined };
}

function parameterOf<Owner>(at: Branch<Owner>): Branch<Owner> {
  at.parameter ??= branch();
  return at.parameter;
}

function literalOf<Owner>(at: Branch<Owner>, segment: string): Branch<Owner> {
  const known = at.literals.get(segment);
  if (known) return known;
  const made: Branch<Owner> = branch();
  at.literals.set(segment, made);
  return made;
}
