import { compare } from '../bson/compare.js';
import { complement, keyOf, UNDEFINED_KEY } from '../bson/key.js';
import { toIntegral } from '../bson/numbers.js';
import { type Doc, isDoc, isNumber, type Value } from '../bson/values.js';
import { badValue, MongoError } from '../errors.js';
import { type FieldPath, fieldPath, someAt } from './path.js';

export interface SortField {
  path: FieldPath;
  descending: boolean;
}

/** Reads `{a: 1, b: -1}`. Throws MongoError 15974 or 15975 as MongoDB does, 2 for `$meta`. */
export function parseSort(sort: Doc): SortField[] {
  return [...sort].map(([name, direction]) => {
    if (name === '') throw new MongoError(40352, 'FieldPath cannot be constructed with empty string');
    if (isDoc(direction))
      throw badValue(`sort by an expression ($meta) is not supported by the embedded server (field '${name}')`);
    const order = isNumber(direction) ? toIntegral(direction) : undefined;
    if (!isNumber(direction))
      throw new MongoError(15974, `Illegal key in $sort specification: ${name}: ${String(direction)}`);
    if (order !== 1n && order !== -1n)
      throw new MongoError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    return { path: fieldPath(name), descending: order === -1n };
  });
}

/**
 * Bytes that order documents as the sort requires. An array sorts by its least item going up and its greatest going down, an
 * empty array below null, a missing field as null.
 */
export function sortKey(document: Doc, fields: readonly SortField[]): Buffer {
  if (fields.length === 1) return fieldKey(document, fields[0] as SortField);
  return Buffer.concat(fields.map((field) => fieldKey(document, field)));
}

function fieldKey(document: Doc, field: SortField): Buffer {
  const best = extreme(document, field);
  const key = best === 'empty' ? UNDEFINED_KEY : keyOf(best ?? null);
  return field.descending ? complement(key) : key;
}

function extreme(document: Doc, { path, descending }: SortField): Value | undefined | 'empty' {
  let best: Value | undefined;
  let sawEmpty = false;
  const offer = (value: Value): void => {
    if (best === undefined) best = value;
    else if (descending ? compare(value, best) > 0 : compare(value, best) < 0) best = value;
  };
  someAt(document, path, 'whole', (value) => {
    if (!Array.isArray(value)) offer(value ?? null);
    else if (value.length === 0) sawEmpty = true;
    else for (const item of value) offer(item);
    return false;
  });
  if (sawEmpty && (best === undefined || !descending)) return 'empty';
  return best;
}
