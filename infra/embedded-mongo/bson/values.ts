import { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';

/**
 * A document is a Map, not an object: an object would move integer-like field names to the front and give `__proto__` a
 * meaning, and MongoDB keeps the order and the names it was given.
 */
export type Doc = Map<string, Value>;

/** Every BSON value this server stores. int32, int64, double and Decimal128 stay apart. */
export type Value =
  | Double
  | string
  | Doc
  | Value[]
  | Binary
  | ObjectId
  | boolean
  | Date
  | null
  | BSONRegExp
  | Code
  | Int32
  | Timestamp
  | Long
  | Decimal128
  | MinKey
  | MaxKey;

export type NumberValue = Int32 | Double | Long | Decimal128;

export { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp };

export const isDoc = (value: unknown): value is Doc => value instanceof Map;

export const isNumber = (value: unknown): value is NumberValue =>
  value instanceof Int32 || value instanceof Double || value instanceof Long || value instanceof Decimal128;

/** BSON type name, as in `$type` and error messages; `missing` for a field that is not there. */
export function typeName(value: Value | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Int32) return 'int';
  if (value instanceof Double) return 'double';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Long) return 'long';
  if (value instanceof Binary) return 'binData';
  if (value instanceof BSONRegExp) return 'regex';
  if (value instanceof Decimal128) return 'decimal';
  if (value instanceof Code) return 'javascript';
  if (value instanceof MinKey) return 'minKey';
  return 'maxKey';
}

/** Type names and numeric codes that `$type` accepts. `number` stands for the four numeric types. */
export const TYPE_CODES: ReadonlyMap<string, number> = new Map([
  ['double', 1],
  ['string', 2],
  ['object', 3],
  ['array', 4],
  ['binData', 5],
  ['objectId', 7],
  ['bool', 8],
  ['date', 9],
  ['null', 10],
  ['regex', 11],
  ['javascript', 13],
  ['int', 16],
  ['timestamp', 17],
  ['long', 18],
  ['decimal', 19],
  ['minKey', -1],
  ['maxKey', 127],
]);

/** Builds a document literal; numbers must already be BSON numbers. */
export function doc(entries: Record<string, Value | undefined>): Doc {
  const map: Doc = new Map();
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) map.set(key, value);
  return map;
}

export const int = (value: number): Int32 => new Int32(value);
export const double = (value: number): Double => new Double(value);
export const long = (value: bigint): Long => Long.fromBigInt(value);

/** A deep copy of containers; leaf values are never changed in place and are shared. */
export function clone<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (isDoc(value)) {
    const copy: Doc = new Map();
    for (const [key, item] of value as Doc) copy.set(key, clone(item));
    return copy as Value as T;
  }
  return value;
}

/** MongoDB's truth: false, null, missing and zero are false, everything else (also "" and NaN) is true. */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (value instanceof Int32 || value instanceof Double) return value.value !== 0;
  // Timestamp extends Long, and is always true.
  if (value instanceof Timestamp) return true;
  if (value instanceof Long) return !value.isZero();
  if (value instanceof Decimal128) return !/^-?0(\.0*)?(E[+-]?\d+)?$/.test(value.toString());
  return true;
}
