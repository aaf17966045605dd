import { compare } from '../bson/compare.js';
import { toIntegral } from '../bson/numbers.js';
import { show } from '../bson/show.js';
import { clone, type Doc, isDoc, isNumber, typeName, type Value } from '../bson/values.js';
import { badValue } from '../errors.js';
import { parseSort, sortKey } from '../query/sort.js';
import type { ChangeContext } from './target.js';

/** Reads `$push`: one value, or `$each` with `$position`, `$sort` and `$slice`, applied in that order. */
export function parsePush(
  dotted: string,
  operand: Value,
): (current: Value | undefined, context: ChangeContext) => Value {
  const modifiers = isDoc(operand) && operand.has('$each') ? operand : new Map<string, Value>([['$each', [operand]]]);
  const items = modifiers.get('$each') as Value;
  if (!Array.isArray(items))
    throw badValue(`The argument to $each in $push must be an array but it was of type: ${typeName(items)}`);
  for (const name of modifiers.keys()) {
    if (!['$each', '$position', '$sort', '$slice'].includes(name))
      throw badValue(`Unrecognized clause in $push: ${name}`);
  }
  const position = integerClause(modifiers, '$position');
  const slice = integerClause(modifiers, '$slice');
  const order = sortClause(modifiers.get('$sort'));
  return (current, { before }) => {
    if (current !== undefined && !Array.isArray(current)) {
      throw badValue(
        `The field '${dotted}' must be an array but is of type ${typeName(current)} in document {_id: ${show(before.get('_id'))}}`,
      );
    }
    let array = [...(current ?? [])];
    const place =
      position === undefined ? array.length : position < 0 ? Math.max(0, array.length + position) : position;
    array.splice(place, 0, ...items.map(clone));
    if (order !== undefined) array.sort(order);
    if (slice !== undefined) array = slice < 0 ? array.slice(slice) : array.slice(0, slice);
    return array;
  };
}

function integerClause(modifiers: Doc, name: '$position' | '$slice'): number | undefined {
  const clause = modifiers.get(name);
  if (clause === undefined) return undefined;
  const wanted = isNumber(clause) ? toIntegral(clause) : undefined;
  if (wanted === undefined) {
    throw badValue(`The value for ${name} must be an integer value but was given type: ${typeName(clause)}`);
  }
  return Number(wanted);
}

function sortClause(clause: Value | undefined): ((a: Value, b: Value) => number) | undefined {
  if (clause === undefined) return undefined;
  if (isNumber(clause)) {
    const direction = toIntegral(clause);
    if (direction !== 1n && direction !== -1n) throw badValue('The $sort element value must be either 1 or -1');
    return direction === 1n ? compare : (a, b) => compare(b, a);
  }
  if (!isDoc(clause))
    throw badValue('The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields');
  if (clause.size === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
  for (const [name, direction] of clause) {
    const wanted = isNumber(direction) ? toIntegral(direction) : undefined;
    if (wanted !== 1n && wanted !== -1n) throw badValue('The $sort element value must be either 1 or -1');
    if (name === '' || name.startsWith('.') || name.endsWith('.'))
      throw badValue(`The $sort field is a dotted field but has an empty part: ${name}`);
  }
  const fields = parseSort(clause);
  const asDoc = (item: Value): Doc => (isDoc(item) ? item : new Map());
  return (a, b) => Buffer.compare(sortKey(asDoc(a), fields), sortKey(asDoc(b), fields));
}
