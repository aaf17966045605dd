import { type Doc, isDoc, isNumber, isTruthy, type Value } from '../bson/values.js';
import { badValue, MongoError } from '../errors.js';

/** Reduces a document to the projected fields. */
export type Projection = (document: Doc) => Doc;

interface Tree {
  children: Map<string, Tree>;
}

/**
 * Parses a projection of plain inclusion or exclusion. Throws 31254 or 31253 for a mixture, 2 for operators, which this
 * server does not support.
 */
export function parseProjection(projection: Doc): Projection | undefined {
  if (projection.size === 0) return undefined;
  let including: boolean | undefined;
  let id: boolean | undefined;
  const tree: Tree = { children: new Map() };
  for (const [path, value] of flattened(projection)) {
    const included = flag(path, value);
    if (path === '_id') {
      id = included;
      continue;
    }
    if (including !== undefined && including !== included) {
      throw included
        ? new MongoError(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
        : new MongoError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    }
    including = included;
    insert(tree, path);
  }
  if (including ?? id ?? false) {
    if (id ?? true) insert(tree, '_id');
    return (document) => include(document, tree);
  }
  if (id === false) insert(tree, '_id');
  return (document) => exclude(document, tree);
}

/** `{a: {b: 1}}` is `{'a.b': 1}`. */
function flattened(projection: Doc, prefix = ''): [string, Value][] {
  return [...projection].flatMap(([name, value]): [string, Value][] => {
    const path = `${prefix}${name}`;
    if (name.startsWith('$') || name.includes('.$'))
      throw badValue(`projection operator '${name}' is not supported by the embedded server`);
    if (!isDoc(value)) return [[path, value]];
    const operator = [...value.keys()].find((key) => key.startsWith('$'));
    if (operator !== undefined)
      throw badValue(`projection operator '${operator}' (field '${path}') is not supported by the embedded server`);
    return flattened(value, `${path}.`);
  });
}

function flag(path: string, value: Value): boolean {
  if (typeof value === 'boolean' || isNumber(value)) return isTruthy(value);
  throw badValue(`a projection of a computed value (field '${path}') is not supported by the embedded server`);
}

function insert(tree: Tree, path: string): void {
  let node = tree;
  for (const name of path.split('.')) {
    let child = node.children.get(name);
    if (child === undefined) {
      child = { children: new Map() };
      node.children.set(name, child);
    } else if (child.children.size === 0) throw new MongoError(31249, `Path collision at ${path}`);
    node = child;
  }
  if (node.children.size > 0) throw new MongoError(31250, `Path collision at ${path}`);
}

function include(document: Doc, tree: Tree): Doc {
  const result: Doc = new Map();
  for (const [name, value] of document) {
    const child = tree.children.get(name);
    if (child === undefined) continue;
    const kept = child.children.size === 0 ? value : includeIn(value, child);
    if (kept !== undefined) result.set(name, kept);
  }
  return result;
}

/** Projects sub-documents and each item of arrays; removes scalars in an array and at a longer path. */
function includeIn(value: Value, tree: Tree): Value | undefined {
  if (isDoc(value)) return include(value, tree);
  if (!Array.isArray(value)) return undefined;
  return value.map((item) => includeIn(item, tree)).filter((item) => item !== undefined);
}

function exclude(document: Doc, tree: Tree): Doc {
  const result: Doc = new Map();
  for (const [name, value] of document) {
    const child = tree.children.get(name);
    if (child === undefined) result.set(name, value);
    else if (child.children.size > 0) result.set(name, excludeIn(value, child));
  }
  return result;
}

function excludeIn(value: Value, tree: Tree): Value {
  if (isDoc(value)) return exclude(value, tree);
  return Array.isArray(value) ? value.map((item) => excludeIn(item, tree)) : value;
}
