import { show } from '../bson/show.js';
import type { Doc, Value } from '../bson/values.js';
import { badValue, ERROR_CODES, MongoError } from '../errors.js';
import type { FieldPath, PathPart } from '../query/path.js';
import type { LeafChange } from './operators.js';

export interface ApplyContext {
  isInsert: boolean;
  /** Array position that the filter matched, for `$`. */
  position: number | undefined;
  nowMs: number;
  filters?: Map<string, (item: Value) => boolean>;
}

export interface ChangeContext extends ApplyContext {
  dotted: string;
  operator: string;
  before: Doc;
}

type Container = Doc | Value[];

/** Maximum number of nulls that pad an array up to a new position, as in MongoDB. */
const MAX_PADDING = 1_500_000;

/** Applies one change at its path in `root`, in place. Missing containers are created, unless the change only removes. */
export function applyAt(root: Doc, parts: readonly PathPart[], change: LeafChange, context: ChangeContext): void {
  if (change.kind === 'renameTo') applyRename(root, parts, change.from, context);
  else descend(root, parts, 0, change, context);
}

function descend(
  container: Container,
  parts: readonly PathPart[],
  at: number,
  change: LeafChange,
  context: ChangeContext,
): void {
  const part = parts[at] as PathPart;
  for (const key of placesOf(container, part, parts, at, context)) {
    if (at + 1 === parts.length) {
      changeLeaf(container, key, change, context);
      continue;
    }
    const next = get(container, key);
    if (next instanceof Map || Array.isArray(next)) {
      descend(next, parts, at + 1, change, context);
    } else if (next !== undefined) {
      if ((parts[at + 1] as PathPart).name.startsWith('$[')) throw notAnArray(key, next);
      if (isRemoval(change)) continue;
      throw notViable(parts, at + 1, key, next);
    } else if (!isRemoval(change)) {
      const made: Doc = new Map();
      const following = (parts[at + 1] as PathPart).name;
      if (following.startsWith('$'))
        throw badValue(
          `The path '${pathTo(parts, at + 1)}' must exist in the document in order to apply array updates.`,
        );
      descend(made, parts, at + 1, change, context);
      if (made.size > 0) set(container, key, made);
    }
  }
}

/** The keys that a path part refers to: a name, a position, the matched position, all positions, or those of a filter. */
function placesOf(
  container: Container,
  part: PathPart,
  parts: readonly PathPart[],
  at: number,
  context: ChangeContext,
): (string | number)[] {
  if (part.name === '$') {
    if (context.position === undefined) {
      throw badValue('The positional operator did not find the match needed from the query.');
    }
    return [Array.isArray(container) ? context.position : String(context.position)];
  }
  const filtered = /^\$\[(.*)\]$/.exec(part.name);
  if (filtered !== null) {
    if (!Array.isArray(container)) throw notAnArray(at === 0 ? '' : (parts[at - 1] as PathPart).name, container);
    const test = context.filters?.get(filtered[1] as string);
    return container.flatMap((item, place) => (test === undefined || test(item) ? [place] : []));
  }
  if (!Array.isArray(container)) return [part.name];
  if (context.operator === '$rename')
    throw badValue(`The source and target field of $rename cannot be in an array, '${context.dotted}'`);
  if (part.isIndex) return [Number(part.name)];
  if (isRemovalOperator(context.operator)) return [];
  throw notViable(parts, at, at === 0 ? '' : (parts[at - 1] as PathPart).name, container);
}

const isRemoval = (change: LeafChange): boolean =>
  change.kind === 'remove' || change.kind === 'renameFrom' || (change.kind === 'value' && change.onlyExisting);
const isRemovalOperator = (operator: string): boolean => ['$unset', '$pull', '$pullAll', '$pop'].includes(operator);

function changeLeaf(container: Container, key: string | number, change: LeafChange, context: ChangeContext): void {
  const current = get(container, key);
  switch (change.kind) {
    case 'remove':
      if (current === undefined) return;
      if (Array.isArray(container)) container[key as number] = null;
      else container.delete(key as string);
      return;
    case 'renameFrom':
      if (Array.isArray(container)) throw badValue(`The source field cannot be an array element, '${context.dotted}'`);
      container.delete(key as string);
      return;
    case 'value':
    case 'onInsert': {
      if (current === undefined && change.onlyExisting) return;
      const next = change.next(current, context);
      if (next !== undefined) set(container, key, next);
      return;
    }
    default:
      throw new Error(`unreachable: ${change.kind}`);
  }
}

function get(container: Container, key: string | number): Value | undefined {
  return Array.isArray(container) ? container[key as number] : container.get(key as string);
}

function set(container: Container, key: string | number, value: Value): void {
  if (!Array.isArray(container)) {
    container.set(key as string, value);
    return;
  }
  const place = key as number;
  if (place > container.length + MAX_PADDING) {
    throw new MongoError(2, `can't backfill more than ${MAX_PADDING} elements`);
  }
  while (container.length < place) container.push(null);
  container[place] = value;
}

const notAnArray = (owner: string | number, value: Value): MongoError =>
  badValue(`Cannot apply array updates to non-array element ${owner}: ${show(value)}`);

function notViable(parts: readonly PathPart[], at: number, owner: string | number, value: Value): MongoError {
  const name = (parts[at] as PathPart).name;
  return new MongoError(
    ERROR_CODES.PathNotViable,
    `Cannot create field '${name}' in element {${owner}: ${show(value)}}`,
  );
}

const pathTo = (parts: readonly PathPart[], end: number): string =>
  parts
    .slice(0, end)
    .map(({ name }) => name)
    .join('.');

/** Sets the source's value before any change at the target; does nothing if there is none. */
function applyRename(root: Doc, parts: readonly PathPart[], from: FieldPath, context: ChangeContext): void {
  let value: Value | undefined = context.before;
  for (const part of from.parts) {
    if (Array.isArray(value))
      throw badValue(
        `The source field cannot be an array element, '${from.dotted}' in doc with _id: ${show(context.before.get('_id'))}`,
      );
    value = value instanceof Map ? value.get(part.name) : undefined;
  }
  if (value === undefined) return;
  let holder: Value | undefined = root;
  for (const part of parts) {
    if (Array.isArray(holder))
      throw badValue(
        `The destination field cannot be an array element, '${context.dotted}' in doc with _id: ${show(context.before.get('_id'))}`,
      );
    holder = holder instanceof Map ? holder.get(part.name) : undefined;
  }
  const moved = value;
  descend(root, parts, 0, { kind: 'value', onlyExisting: false, next: () => moved }, context);
}
