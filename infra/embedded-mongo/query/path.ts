import type { Doc, Value } from '../bson/values.js';

/** One part of a dotted path. A numeric part may be a field name or an array position. */
export interface PathPart {
  name: string;
  isIndex: boolean;
}

export interface FieldPath {
  dotted: string;
  parts: readonly PathPart[];
}

/** The matched array position, for the positional `$` of an update. */
export interface MatchedPosition {
  index: number | undefined;
}

/** `elements` tests the items of an array at the path's end, then the array; `whole` only the array. */
export type LeafArrays = 'elements' | 'whole';

const INDEX = /^(0|[1-9]\d*)$/;

export function fieldPath(dotted: string): FieldPath {
  return { dotted, parts: dotted.split('.').map((name) => ({ name, isIndex: INDEX.test(name) })) };
}

/**
 * True when `test` holds for any value that the path reaches in the document. Arrays on the way are entered: each
 * sub-document is followed, and a numeric piece also takes the item at that place. A path that ends in nothing is
 * tested once with undefined (missing), except inside arrays of scalars, where it reaches nothing.
 */
export function someAt(
  root: Doc,
  path: FieldPath,
  leaf: LeafArrays,
  test: (value: Value | undefined) => boolean,
  position?: MatchedPosition,
): boolean {
  return visit(root, path.parts, 0, leaf, test, position);
}

function visit(
  root: Doc,
  parts: readonly PathPart[],
  start: number,
  leaf: LeafArrays,
  test: (value: Value | undefined) => boolean,
  position: MatchedPosition | undefined,
): boolean {
  let value: Value | undefined = root;
  let at = start;
  while (at < parts.length && value instanceof Map) {
    value = value.get((parts[at] as PathPart).name);
    at++;
  }
  if (!Array.isArray(value)) return test(at < parts.length ? undefined : value);
  if (at < parts.length) return visitItems(value, parts, at, leaf, test, position);
  if (leaf === 'whole') return test(value);
  for (let i = 0; i < value.length; i++) {
    if (!test(value[i])) continue;
    if (position !== undefined) position.index = i;
    return true;
  }
  return test(value);
}

function visitItems(
  items: Value[],
  parts: readonly PathPart[],
  at: number,
  leaf: LeafArrays,
  test: (value: Value | undefined) => boolean,
  position: MatchedPosition | undefined,
): boolean {
  const part = parts[at] as PathPart;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Value;
    if (item instanceof Map && visit(item, parts, at, leaf, test, position)) {
      if (position !== undefined) position.index = i;
      return true;
    }
    if (!part.isIndex || Number(part.name) !== i) continue;
    if (at + 1 === parts.length) {
      if (test(item)) return true;
    } else if (item instanceof Map) {
      if (visit(item, parts, at + 1, leaf, test, position)) return true;
    } else if (Array.isArray(item)) {
      if (visitItems(item, parts, at + 1, leaf, test, position)) return true;
    }
  }
  return false;
}
