import { BSONRegExp, clone, type Doc, ObjectId, type Value } from '../bson/values.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import { conjuncts } from '../plan/bounds.js';
import type { FieldPath } from '../query/path.js';
import { type And, Or, PathPredicate, type Predicate } from '../query/predicates.js';
import { applyAt } from './target.js';
import type { Update } from './update.js';

/** The document that an upsert inserts: the filter's equalities, then the update, then an _id if there is none; _id first. */
export function upsertDocument(filter: And, update: Update, nowMs: number): Doc {
  const seed: Doc = new Map();
  for (const { path, operand } of equalities(filter)) {
    if (update.isReplacement && path.parts[0]?.name === '_id' && path.parts.length > 1) {
      throw new MongoError(
        ERROR_CODES.NotExactValueField,
        `field at '${path.dotted}' must be exactly specified, field at sub-path '_id' found`,
      );
    }
    if (update.isReplacement && path.dotted !== '_id') continue;
    const context = { isInsert: true, position: undefined, nowMs, dotted: path.dotted, operator: '$set', before: seed };
    applyAt(seed, path.parts, { kind: 'value', onlyExisting: false, next: () => clone(operand) }, context);
  }
  const made = update.apply(seed, { isInsert: true, position: undefined, nowMs });
  return withIdFirst(made);
}

export function withIdFirst(document: Doc): Doc {
  if (document.keys().next().value === '_id') return document;
  const first: Doc = new Map<string, Value>([['_id', document.get('_id') ?? new ObjectId()]]);
  for (const [name, value] of document) if (name !== '_id') first.set(name, value);
  return first;
}

interface Equality {
  path: FieldPath;
  operand: Value;
}

function equalities(filter: And): Equality[] {
  const found = conjuncts(filter).flatMap(equalitiesOf);
  const paths = new Set<string>();
  for (const { path } of found) {
    if (paths.has(path.dotted)) {
      throw new MongoError(
        ERROR_CODES.NotSingleValueField,
        `cannot infer query fields to set, path '${path.dotted}' is matched twice`,
      );
    }
    for (const other of paths) {
      if (!`${path.dotted}.`.startsWith(`${other}.`) && !`${other}.`.startsWith(`${path.dotted}.`)) continue;
      throw new MongoError(
        ERROR_CODES.NotSingleValueField,
        `cannot infer query fields to set, both paths '${path.dotted}' and '${other}' are matched`,
      );
    }
    paths.add(path.dotted);
  }
  return found;
}

/** The equalities of a filter, also those of an `$or` with one branch and an `$in` with one value. */
function equalitiesOf(predicate: Predicate): Equality[] {
  if (predicate instanceof Or && predicate.any.length === 1)
    return conjuncts(predicate.any[0] as Predicate).flatMap(equalitiesOf);
  if (!(predicate instanceof PathPredicate)) return [];
  const { path, operator, operand } = predicate;
  if (operator === '$eq') return [{ path, operand }];
  const [only, ...others] = operator === '$in' ? (operand as Value[]) : [];
  return only === undefined || others.length > 0 || only instanceof BSONRegExp ? [] : [{ path, operand: only }];
}
