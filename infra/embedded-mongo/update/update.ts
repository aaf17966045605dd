import { equal } from '../bson/compare.js';
import { show } from '../bson/show.js';
import { clone, type Doc, isDoc, typeName, type Value } from '../bson/values.js';
import { SUPPORTED_UPDATE_OPERATORS } from '../capabilities.js';
import { ERROR_CODES, failedToParse, MongoError, notSupported } from '../errors.js';
import { isOperatorDoc, parseElementTest, parseItemTest } from '../query/parse.js';
import { fieldPath, type PathPart } from '../query/path.js';
import { type LeafChange, leafOperator } from './operators.js';
import { type ApplyContext, applyAt } from './target.js';

/** A parsed update: gives the new document, and never changes the old one. */
export interface Update {
  isReplacement: boolean;
  /** The update needs the matched position (`$`). */
  usesPosition: boolean;
  apply(before: Doc, context: ApplyContext): Doc;
}

export interface Change {
  dotted: string;
  parts: readonly PathPart[];
  operator: string;
  change: LeafChange;
}

/**
 * Reads an update: a replacement document, or operators. Throws 9 for an unknown operator or malformed operand, 40 for
 * two changes on one path, and each operator's own codes.
 */
export function parseUpdate(update: Value, arrayFilters: Value | undefined): Update {
  if (Array.isArray(update)) throw notSupported('an update by an aggregation pipeline');
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array');
  const first = update.keys().next().value;
  if (first?.startsWith('$') !== true) return replacement(update, arrayFilters);
  const changes = [...update].flatMap(([operator, fields]) => parseOperator(operator, fields));
  const filters = parseArrayFilters(arrayFilters, changes);
  changes.sort(byPath);
  refuseConflicts(changes);
  return {
    isReplacement: false,
    usesPosition: changes.some(({ parts }) => parts.some(({ name }) => name === '$')),
    apply: (before, context) => applyChanges(before, changes, { ...context, filters }),
  };
}

function replacement(update: Doc, arrayFilters: Value | undefined): Update {
  if (arrayFilters !== undefined)
    throw failedToParse('arrayFilters may not be specified for replacement-style updates');
  for (const name of update.keys()) {
    if (name.startsWith('$')) {
      throw new MongoError(
        ERROR_CODES.DollarPrefixedFieldName,
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    }
  }
  return {
    isReplacement: true,
    usesPosition: false,
    apply: (before) => {
      const id = before.get('_id');
      const given = update.get('_id');
      if (id !== undefined && given !== undefined && !equal(id, given)) {
        throw new MongoError(
          ERROR_CODES.ImmutableField,
          `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${show(given)}`,
        );
      }
      const after: Doc = new Map();
      const kept = id ?? given;
      if (kept !== undefined) after.set('_id', kept);
      for (const [name, value] of update) if (name !== '_id') after.set(name, clone(value));
      return after;
    },
  };
}

function parseOperator(operator: string, fields: Value): Change[] {
  if (!SUPPORTED_UPDATE_OPERATORS.includes(operator)) {
    if (!operator.startsWith('$'))
      throw failedToParse(`The dollar ($) prefixed operators and plain fields cannot be mixed: '${operator}'`);
    throw failedToParse(
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDoc(fields))
    throw failedToParse(
      `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${show(fields)}}`,
    );
  return [...fields].flatMap(([dotted, operand]) => {
    checkPath(dotted);
    if (operator === '$rename') return parseRename(dotted, operand);
    return [{ dotted, parts: fieldPath(dotted).parts, operator, change: leafOperator(operator, dotted, operand) }];
  });
}

function checkPath(dotted: string): void {
  if (dotted === '') throw new MongoError(56, 'An empty update path is not valid.');
  const parts = dotted.split('.');
  if (parts.includes(''))
    throw new MongoError(56, `The update path '${dotted}' contains an empty field name, which is not allowed.`);
  if (parts[0]?.startsWith('$') === true && /^\$(\[.*\])?$/.test(parts[0])) {
    throw new MongoError(
      ERROR_CODES.BadValue,
      `Cannot have positional (i.e. '$') element in the first position in path '${dotted}'`,
    );
  }
  if (parts.filter((part) => part === '$').length > 1) {
    throw new MongoError(ERROR_CODES.BadValue, `Too many positional (i.e. '$') elements found in path '${dotted}'`);
  }
  const dollar = parts.find((part) => part.startsWith('$') && part !== '$' && !/^\$\[.*\]$/.test(part));
  if (dollar !== undefined) {
    throw new MongoError(
      ERROR_CODES.DollarPrefixedFieldName,
      `The dollar ($) prefixed field '${dollar}' in '${dotted}' is not valid for storage.`,
    );
  }
}

/** A rename is two changes: the target gets the source's old value, and the source is removed. */
function parseRename(from: string, to: Value): Change[] {
  if (typeof to !== 'string')
    throw new MongoError(ERROR_CODES.BadValue, `The 'to' field for $rename must be a string: ${from}: ${show(to)}`);
  if (to.includes('\0'))
    throw new MongoError(ERROR_CODES.BadValue, "The 'to' field for $rename cannot contain an embedded null byte");
  checkPath(to);
  if (from === to)
    throw new MongoError(
      ERROR_CODES.BadValue,
      `The source and target field for $rename must differ: ${from}: ${show(to)}`,
    );
  for (const path of [from, to]) {
    if (/(^|\.)\$/.test(path))
      throw new MongoError(
        ERROR_CODES.BadValue,
        `The ${path === from ? 'source' : 'destination'} field for $rename may not be dynamic: ${path}`,
      );
  }
  const source = fieldPath(from);
  return [
    { dotted: from, parts: source.parts, operator: '$rename', change: { kind: 'renameFrom' } },
    { dotted: to, parts: fieldPath(to).parts, operator: '$rename', change: { kind: 'renameTo', from: source } },
  ];
}

/** Orders changes by path, part by part; numeric parts by number. New fields appear in this order. */
function byPath(a: Change, b: Change): number {
  const length = Math.min(a.parts.length, b.parts.length);
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.parts[i] as PathPart, b.parts[i] as PathPart];
    if (left.name === right.name) continue;
    if (left.isIndex && right.isIndex) return Number(left.name) - Number(right.name);
    return left.name < right.name ? -1 : 1;
  }
  return a.parts.length - b.parts.length;
}

function refuseConflicts(sorted: Change[]): void {
  for (let i = 1; i < sorted.length; i++) {
    const [earlier, later] = [sorted[i - 1] as Change, sorted[i] as Change];
    const isPrefix = earlier.parts.every((part, place) => part.name === later.parts[place]?.name);
    if (!isPrefix) continue;
    throw new MongoError(
      ERROR_CODES.ConflictingUpdateOperators,
      `Updating the path '${later.dotted}' would create a conflict at '${earlier.dotted}'`,
    );
  }
}

function parseArrayFilters(raw: Value | undefined, changes: Change[]): Map<string, (item: Value) => boolean> {
  const filters = new Map<string, (item: Value) => boolean>();
  if (raw !== undefined && !Array.isArray(raw))
    throw new MongoError(
      ERROR_CODES.TypeMismatch,
      "BSON field 'arrayFilters' is the wrong type, expected type 'array'",
    );
  for (const filter of raw ?? []) {
    if (!isDoc(filter)) throw new MongoError(ERROR_CODES.TypeMismatch, 'arrayFilters must be documents');
    const identifier = soleIdentifier(filter);
    if (filters.has(identifier))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${identifier}`);
    filters.set(identifier, itemFilter(filter, identifier));
  }
  const used = new Set(changes.flatMap(({ parts }) => parts.map(({ name }) => /^\$\[(.+)\]$/.exec(name)?.[1])));
  for (const change of changes) {
    for (const { name } of change.parts) {
      const identifier = /^\$\[(.+)\]$/.exec(name)?.[1];
      if (identifier !== undefined && !filters.has(identifier)) {
        throw new MongoError(
          ERROR_CODES.BadValue,
          `No array filter found for identifier '${identifier}' in path '${change.dotted}'`,
        );
      }
    }
  }
  for (const identifier of filters.keys()) {
    if (!used.has(identifier))
      throw failedToParse(`The array filter for identifier '${identifier}' was not used in the update`);
  }
  return filters;
}

function soleIdentifier(filter: Doc): string {
  const names = new Set<string>();
  const collect = (document: Doc): void => {
    for (const [key, value] of document) {
      if (!key.startsWith('$')) names.add(key.split('.')[0] as string);
      else if (Array.isArray(value)) for (const clause of value) if (isDoc(clause)) collect(clause);
    }
  };
  collect(filter);
  const [first, second] = names;
  if (first === undefined)
    throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
  if (second !== undefined) {
    throw failedToParse(
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${first}' and '${second}'`,
    );
  }
  if (!/^[a-z][a-zA-Z0-9]*$/.test(first)) {
    throw new MongoError(
      ERROR_CODES.BadValue,
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${first}'`,
    );
  }
  return first;
}

/** Parses `{x: {$gt: 1}}` and `{'x.a': 1}` as a test of one item called x. */
function itemFilter(filter: Doc, identifier: string): (item: Value) => boolean {
  const own = filter.get(identifier);
  if (filter.size === 1 && own !== undefined && isOperatorDoc(own)) return parseItemTest(own);
  const test = parseElementTest(filter);
  return (item) => test(new Map([[identifier, item]]));
}

function applyChanges(before: Doc, changes: Change[], context: ApplyContext): Doc {
  const after = clone(before);
  for (const { dotted, parts, operator, change } of changes) {
    if (change.kind === 'onInsert' && !context.isInsert) continue;
    applyAt(after, parts, change, { ...context, dotted, operator, before });
  }
  const id = before.get('_id');
  const newId = after.get('_id');
  if (id !== undefined && (newId === undefined || !equal(id, newId))) {
    throw new MongoError(
      ERROR_CODES.ImmutableField,
      `Performing an update on the path '_id' would modify the immutable field '_id'`,
    );
  }
  return after;
}
