import { equal } from '../bson/compare.js';
import { toDouble } from '../bson/numbers.js';
import { show } from '../bson/show.js';
import { type Doc, double, int, isDoc, isNumber, isTruthy, type Value } from '../bson/values.js';
import { INDEX_OPTIONS } from '../capabilities.js';
import { ERROR_CODES, MongoError, notSupported } from '../errors.js';

/** An index as requested: what MongoDB's listIndexes shows, read. */
export interface IndexSpec {
  name: string;
  /** As sent, with its own number types. */
  key: Doc;
  unique: boolean;
  sparse: boolean;
  partialFilter: Doc | undefined;
  expireAfterSeconds: number | undefined;
}

const cannotCreate = (message: string): MongoError => new MongoError(ERROR_CODES.CannotCreateIndex, message);

/** Parses an index. Fields are ascending or descending; special kinds of MongoDB are refused by name. */
export function parseIndexSpec(raw: Value): IndexSpec {
  if (!isDoc(raw)) throw new MongoError(ERROR_CODES.TypeMismatch, 'indexes must be documents');
  for (const option of raw.keys()) {
    if (INDEX_OPTIONS.supported.includes(option)) continue;
    if (INDEX_OPTIONS.refused.includes(option)) throw notSupported(`index option '${option}'`);
    throw new MongoError(
      ERROR_CODES.InvalidIndexSpecificationOption,
      `The field '${option}' is not valid for an index specification. Specification: ${show(raw)}`,
    );
  }
  const key = raw.get('key');
  const name = raw.get('name');
  if (!isDoc(key))
    throw new MongoError(ERROR_CODES.FailedToParse, "The 'key' field is a required property of an index specification");
  if (typeof name !== 'string')
    throw new MongoError(
      ERROR_CODES.FailedToParse,
      "The 'name' field is a required property of an index specification",
    );
  checkKey(key);
  const partialFilter = raw.get('partialFilterExpression');
  if (partialFilter !== undefined && !isDoc(partialFilter))
    throw new MongoError(ERROR_CODES.TypeMismatch, "The field 'partialFilterExpression' must be an object");
  const sparse = isTruthy(raw.get('sparse'));
  if (sparse && partialFilter !== undefined)
    throw cannotCreate('cannot mix "partialFilterExpression" and "sparse" options');
  return {
    name,
    key,
    unique: isTruthy(raw.get('unique')),
    sparse,
    partialFilter,
    expireAfterSeconds: expiry(raw, key),
  };
}

/** Operators that MongoDB allows in a partial index: a plan can decide for each whether it covers a query. */
const PARTIAL_OPERATORS = ['$eq', '$gt', '$gte', '$lt', '$lte', '$exists', '$type', '$in', '$and', '$or'];

/** Further checks of a new index; indexes of earlier releases stay valid. */
export function checkNewIndex(spec: IndexSpec): void {
  if (spec.name.includes('\0')) throw cannotCreate('an index name cannot contain an embedded null byte');
  if (spec.key.size === 1 && spec.key.has('_id') && (spec.unique || spec.sparse || spec.partialFilter !== undefined)) {
    const option = spec.unique ? 'unique' : spec.sparse ? 'sparse' : 'partialFilterExpression';
    throw new MongoError(
      ERROR_CODES.InvalidIndexSpecificationOption,
      `The field '${option}' is not valid for an _id index specification`,
    );
  }
  if (spec.partialFilter !== undefined) checkPartial(spec.partialFilter);
}

function checkPartial(filter: Value): void {
  if (Array.isArray(filter)) for (const clause of filter) checkPartial(clause);
  if (!isDoc(filter)) return;
  for (const [name, value] of filter) {
    const isKnown = !name.startsWith('$') || PARTIAL_OPERATORS.includes(name);
    if (!isKnown || (name === '$exists' && !isTruthy(value)))
      throw cannotCreate(`unsupported expression in partial index: ${name}`);
    if (['$and', '$or'].includes(name) || !name.startsWith('$')) checkPartial(value);
  }
}

function checkKey(key: Doc): void {
  if (key.size === 0) throw cannotCreate('Index keys cannot be empty.');
  if (key.size > 32) throw cannotCreate('too many fields in an index: at most 32');
  for (const [field, direction] of key) {
    if (field === '') throw cannotCreate('Index keys cannot be an empty field.');
    if (field.includes('$')) throw notSupported(`index key '${field}'`);
    if (field.startsWith('.') || field.endsWith('.') || field.includes('..'))
      throw cannotCreate('Index keys cannot contain an empty field.');
    if (typeof direction === 'string') throw notSupported(`index type '${direction}'`);
    const order = isNumber(direction) ? toDouble(direction) : Number.NaN;
    if (Number.isNaN(order) || order === 0) {
      throw cannotCreate(`Values in v:2 index key pattern must be numbers > 0 or < 0 (field '${field}')`);
    }
  }
}

function expiry(raw: Doc, key: Doc): number | undefined {
  const value = raw.get('expireAfterSeconds');
  if (value === undefined) return undefined;
  if (!isNumber(value)) throw cannotCreate(`TTL index 'expireAfterSeconds' option must be numeric`);
  if (key.size !== 1) throw cannotCreate('TTL indexes are single-field indexes, compound indexes do not support TTL');
  if (key.has('_id'))
    throw new MongoError(
      ERROR_CODES.InvalidIndexSpecificationOption,
      "The field 'expireAfterSeconds' is not valid for an _id index specification",
    );
  const seconds = toDouble(value);
  if (!(seconds >= 0 && seconds <= 2_147_483_647))
    throw cannotCreate("TTL index 'expireAfterSeconds' option must be within an acceptable range");
  return Math.trunc(seconds);
}

/** The index as listIndexes shows it and the catalogue stores it. */
export function describeIndex(spec: IndexSpec): Doc {
  const shown: Doc = new Map<string, Value>([
    ['v', int(2)],
    ['key', spec.key],
    ['name', spec.name],
  ]);
  if (spec.unique && spec.name !== '_id_') shown.set('unique', true);
  if (spec.sparse) shown.set('sparse', true);
  if (spec.expireAfterSeconds !== undefined) shown.set('expireAfterSeconds', int(spec.expireAfterSeconds));
  if (spec.partialFilter !== undefined) shown.set('partialFilterExpression', spec.partialFilter);
  return shown;
}

const sameKey = (a: IndexSpec, b: IndexSpec): boolean =>
  a.key.size === b.key.size && equal(directions(a.key), directions(b.key));
const directions = (key: Doc): Doc =>
  new Map([...key].map(([field, order]) => [field, double(Math.sign(isNumber(order) ? toDouble(order) : 1))]));
const samePartial = (a: IndexSpec, b: IndexSpec): boolean => equal(a.partialFilter ?? null, b.partialFilter ?? null);
const sameOptions = (a: IndexSpec, b: IndexSpec): boolean => a.expireAfterSeconds === b.expireAfterSeconds;

/**
 * Compares a requested index with one that exists: 'identical' needs no work, undefined is no clash. Throws 85 or 86, by
 * MongoDB's rule that key, partial filter, uniqueness and sparseness identify an index and the expiry does not.
 */
export function clash(requested: IndexSpec, existing: IndexSpec): 'identical' | undefined {
  const sameKind = requested.unique === existing.unique && requested.sparse === existing.sparse;
  const sameIndex = sameKey(requested, existing) && samePartial(requested, existing) && sameKind;
  const both = `Requested index: ${show(describeIndex(requested))}, existing index: ${show(describeIndex(existing))}`;
  if (requested.name === existing.name) {
    if (!sameIndex) {
      throw new MongoError(
        ERROR_CODES.IndexKeySpecsConflict,
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. ${both}`,
      );
    }
    if (sameOptions(requested, existing)) return 'identical';
    throw new MongoError(
      ERROR_CODES.IndexOptionsConflict,
      `An equivalent index already exists with the same name but different options. ${both}`,
    );
  }
  if (!sameIndex) return undefined;
  throw new MongoError(
    ERROR_CODES.IndexOptionsConflict,
    sameOptions(requested, existing)
      ? `Index already exists with a different name: ${existing.name}`
      : `An equivalent index already exists with a different name and options. ${both}`,
  );
}
