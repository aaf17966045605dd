import { Binary, BSONRegExp, Code, type Long, MinKey, ObjectId, Timestamp } from 'bson';
import { compareNumbers } from './numbers.js';
import { type Doc, isNumber, type NumberValue, type Value } from './values.js';

/**
 * Ranks of the types in MongoDB's comparison order. They are also the first byte of an index key. 0 ends a document in a
 * key; `undefined` is what an empty array puts into an index, and sorts before null.
 */
export const RANK = {
  end: 0,
  minKey: 1,
  undefined: 2,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  javascript: 60,
  maxKey: 127,
} as const;

export function rankOf(value: Value): number {
  if (typeof value === 'string') return RANK.string;
  if (value === null) return RANK.null;
  if (typeof value === 'boolean') return RANK.bool;
  if (value instanceof Map) return RANK.object;
  if (Array.isArray(value)) return RANK.array;
  if (value instanceof Date) return RANK.date;
  if (value instanceof Timestamp) return RANK.timestamp;
  if (isNumber(value)) return RANK.number;
  if (value instanceof ObjectId) return RANK.objectId;
  if (value instanceof Binary) return RANK.binData;
  if (value instanceof BSONRegExp) return RANK.regex;
  if (value instanceof Code) return RANK.javascript;
  return value instanceof MinKey ? RANK.minKey : RANK.maxKey;
}

/** MongoDB's order of any two values: type rank first, then the value. Negative, zero or positive. */
export function compare(a: Value, b: Value): number {
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  return difference !== 0 ? difference : compareSameRank(rank, a, b);
}

export const equal = (a: Value, b: Value): boolean => compare(a, b) === 0;

function compareSameRank(rank: number, a: Value, b: Value): number {
  switch (rank) {
    case RANK.number:
      return compareNumbers(a as NumberValue, b as NumberValue);
    case RANK.string:
      return compareStrings(a as string, b as string);
    case RANK.object:
      return compareDocs(a as Doc, b as Doc);
    case RANK.array:
      return compareArrays(a as Value[], b as Value[]);
    case RANK.binData:
      return compareBinary(a as Binary, b as Binary);
    case RANK.objectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case RANK.bool:
      return Number(a) - Number(b);
    case RANK.date:
      return (a as Date).getTime() - (b as Date).getTime();
    case RANK.timestamp:
      return (a as Long).toUnsigned().compare((b as Long).toUnsigned());
    case RANK.regex:
      return (
        compareStrings((a as BSONRegExp).pattern, (b as BSONRegExp).pattern) ||
        compareStrings((a as BSONRegExp).options, (b as BSONRegExp).options)
      );
    case RANK.javascript:
      return compareStrings((a as Code).code, (b as Code).code);
    default:
      return 0;
  }
}

/** By bytes of UTF-8, which differs from JavaScript's order only where surrogates meet U+E000 and above. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Field by field: type, then name, then value; a document that ends first is less. */
function compareDocs(a: Doc, b: Doc): number {
  const right = b.entries();
  for (const [name, value] of a) {
    const next = right.next();
    if (next.done) return 1;
    const [otherName, other] = next.value;
    const rank = rankOf(value);
    const order = rank - rankOf(other) || compareStrings(name, otherName) || compareSameRank(rank, value, other);
    if (order !== 0) return order;
  }
  return right.next().done ? 0 : -1;
}

function compareArrays(a: Value[], b: Value[]): number {
  for (let i = 0; i < a.length; i++) {
    if (i >= b.length) return 1;
    const order = compare(a[i] as Value, b[i] as Value);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareBinary(a: Binary, b: Binary): number {
  return a.length() - b.length() || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value());
}
