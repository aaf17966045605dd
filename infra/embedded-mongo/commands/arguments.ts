import { toDouble, toIntegral } from '../bson/numbers.js';
import { type Doc, isDoc, isNumber, typeName, type Value } from '../bson/values.js';
import { badValue, ERROR_CODES, MongoError, typeMismatch } from '../errors.js';
import type { Hint } from '../plan/planner.js';
import type { Call } from './context.js';

/** Typed reading of a command's fields. A wrong type is MongoError 14 that names the field. */
const wrongType = (owner: string, field: string, value: Value, expected: string): MongoError =>
  typeMismatch(`BSON field '${owner}.${field}' is the wrong type '${typeName(value)}', expected type '${expected}'`);

export function docArgument(owner: string, from: Doc, field: string): Doc | undefined {
  const value = from.get(field);
  if (value === undefined || value === null) return undefined;
  if (!isDoc(value)) throw wrongType(owner, field, value, 'object');
  return value;
}

export function arrayArgument(owner: string, from: Doc, field: string): Value[] {
  const value = from.get(field);
  if (value === undefined)
    throw new MongoError(40414, `BSON field '${owner}.${field}' is missing but a required field`);
  if (!Array.isArray(value)) throw wrongType(owner, field, value, 'array');
  return value;
}

export function stringArgument(owner: string, from: Doc, field: string): string {
  const value = from.get(field);
  if (value === undefined)
    throw new MongoError(40414, `BSON field '${owner}.${field}' is missing but a required field`);
  if (typeof value !== 'string') throw wrongType(owner, field, value, 'string');
  return value;
}

/** A boolean, or a number as MongoDB accepts it. */
export function flagArgument(owner: string, from: Doc, field: string, fallback = false): boolean {
  const value = from.get(field);
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return toDouble(value) !== 0;
  throw wrongType(owner, field, value, 'bool');
}

/** A whole number that is not negative. */
export function countArgument(owner: string, from: Doc, field: string): number | undefined {
  const value = from.get(field);
  if (value === undefined || value === null) return undefined;
  if (!isNumber(value)) throw wrongType(owner, field, value, 'long');
  const whole = toIntegral(value) ?? BigInt(Math.trunc(toDouble(value) || 0));
  if (whole < 0n) throw new MongoError(51024, `BSON field '${field}' value must be >= 0, actual value '${whole}'`);
  return Number(whole);
}

export function hintArgument(owner: string, from: Doc): Hint {
  const value = from.get('hint');
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (!isDoc(value))
    throw typeMismatch(
      `BSON field '${owner}.hint' is the wrong type '${typeName(value)}', expected types '[string, object]'`,
    );
  return value.size === 0 ? undefined : value;
}

/** `db.collection` from the command's first field. Throws 73 for a name that MongoDB does not accept. */
export function namespaceOf(call: Call): string {
  const collection = call.command.get(call.name);
  if (typeof collection !== 'string') {
    throw badValue(`collection name has invalid type ${typeName(collection)}`);
  }
  return namespace(call.db, collection);
}

export function namespace(db: string, collection: string): string {
  const full = `${db}.${collection}`;
  if (collection === '' || collection.startsWith('.') || /[\0$]/.test(collection) || Buffer.byteLength(full) > 255) {
    throw new MongoError(ERROR_CODES.InvalidNamespace, `Invalid namespace specified '${full}'`);
  }
  if (collection.startsWith('system.'))
    throw new MongoError(ERROR_CODES.InvalidNamespace, `'${full}' is a system collection`);
  return full;
}

export function checkDatabaseName(db: Value | undefined): string {
  if (typeof db !== 'string') throw badValue("the command lacks '$db'");
  if (db === '' || /[/\\. "$\0]/.test(db) || Buffer.byteLength(db) > 63) {
    throw new MongoError(ERROR_CODES.InvalidNamespace, `Invalid database name: '${db}'`);
  }
  return db;
}

/** Refuses options of one statement that are not in its table. */
export function checkFields(owner: string, from: Doc, known: readonly string[], refused: readonly string[]): void {
  for (const field of from.keys()) {
    if (known.includes(field)) continue;
    if (refused.includes(field)) {
      throw new MongoError(
        ERROR_CODES.CommandNotSupported,
        `option '${owner}.${field}' is not supported by the embedded server`,
      );
    }
    throw new MongoError(40415, `BSON field '${owner}.${field}' is an unknown field.`);
  }
}
