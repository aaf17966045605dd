import { type Doc, int, isDoc, isNumber, isTruthy, type Value } from '../bson/values.js';
import { MongoError } from '../errors.js';
import { parseProjection } from '../query/projection.js';
import { compileExpression, type Expression, evaluate } from './expression.js';
import { perDocument, type Stage } from './stages.js';

/** Reads `$project`: inclusion or exclusion as in find, and computed fields beside an inclusion. */
export function project(operand: Value): Stage {
  if (!isDoc(operand)) throw new MongoError(15969, '$project specification must be an object');
  if (operand.size === 0)
    throw new MongoError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  const plain: Doc = new Map();
  const computed: [string[], Expression][] = [];
  for (const [path, value] of flattened(operand)) {
    if (isDoc(value) && value.size === 0)
      throw new MongoError(51270, `An empty sub-projection is not a valid value. Found empty object at path '${path}'`);
    if (typeof value === 'boolean' || isNumber(value)) plain.set(path, value);
    else computed.push([pathOf(path), compileExpression(value)]);
  }
  if (computed.length === 0) {
    const keep = parseProjection(plain) as (document: Doc) => Doc;
    return perDocument((document) => [keep(document)]);
  }
  for (const [path, value] of plain) {
    if (!isTruthy(value) && path !== '_id')
      throw new MongoError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
  }
  if (!plain.has('_id') && !computed.some(([[name]]) => name === '_id')) plain.set('_id', int(1));
  const isIdOnly = [...plain.values()].every((value) => !isTruthy(value));
  const keep = isIdOnly ? () => new Map() : (parseProjection(plain) as (document: Doc) => Doc);
  return perDocument((document) => [compute(keep(document), document, computed)]);
}

/** Reads `$addFields` and `$set`. */
export function addFields(operand: Value): Stage {
  if (isDoc(operand) && operand.size === 0)
    throw new MongoError(40177, 'Invalid $addFields :: caused by :: specification must have at least one field');
  if (!isDoc(operand)) throw new MongoError(40272, '$addFields specification stage must be an object');
  const computed = flattened(operand).map(([path, value]): [string[], Expression] => [
    pathOf(path),
    compileExpression(value),
  ]);
  return perDocument((document) => [compute(new Map(document), document, computed)]);
}

/** A nested plain document is a set of paths: `{a: {b: 1}}` leaves the other fields of `a`. */
function flattened(fields: Doc, prefix = ''): [string, Value][] {
  return [...fields].flatMap(([name, value]): [string, Value][] => {
    const isPlain = isDoc(value) && value.size > 0 && !value.keys().next().value?.startsWith('$');
    return isPlain ? flattened(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value]];
  });
}

/** Reads `$unset`: one path or several. */
export function unset(operand: Value): Stage {
  const paths = Array.isArray(operand) ? operand : [operand];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string'))
    throw new MongoError(31002, '$unset specification must be a string or an array of strings');
  const drop = parseProjection(new Map((paths as string[]).map((path) => [path, int(0)]))) as (document: Doc) => Doc;
  return perDocument((document) => [drop(document)]);
}

function pathOf(path: string): string[] {
  const parts = path.split('.');
  if (parts.some((part) => part === ''))
    throw new MongoError(40353, `FieldPath must not have an empty piece: '${path}'`);
  if (parts.some((part) => part.startsWith('$')))
    throw new MongoError(16410, `FieldPath field names may not start with '$': '${path}'`);
  return parts;
}

function compute(result: Doc, document: Doc, computed: readonly [string[], Expression][]): Doc {
  for (const [parts, expression] of computed) put(result, parts, 0, evaluate(expression, document));
  return result;
}

/** Puts a value at a path; an array on the way gets it in each of its items. */
function put(holder: Doc, parts: readonly string[], at: number, value: Value | undefined): void {
  const name = parts[at] as string;
  if (at + 1 === parts.length) {
    if (value === undefined) holder.delete(name);
    else holder.set(name, value);
    return;
  }
  holder.set(name, putInto(holder.get(name), parts, at + 1, value));
}

function putInto(held: Value | undefined, parts: readonly string[], at: number, value: Value | undefined): Value {
  if (Array.isArray(held)) return held.map((item) => putInto(item, parts, at, value));
  const inner: Doc = isDoc(held) ? new Map(held) : new Map();
  put(inner, parts, at, value);
  return inner;
}
