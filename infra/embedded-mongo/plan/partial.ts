import { compare, rankOf } from '../bson/compare.js';
import type { Value } from '../bson/values.js';
import { And, Or, PathPredicate, type Predicate } from '../query/predicates.js';

/**
 * True when documents that meet all of `query` are certain to meet all of `filter`, the filter of a partial index. It knows
 * equality, sets and ranges on the same path, and $exists; what it cannot show it denies, and the index is then not used.
 */
export function implies(query: readonly Predicate[], filter: readonly Predicate[]): boolean {
  return filter.every((wanted) => query.some((given) => impliesOne(given, wanted)));
}

function impliesOne(given: Predicate, wanted: Predicate): boolean {
  if (wanted instanceof And) return wanted.all.every((part) => impliesOne(given, part));
  if (wanted instanceof Or) return wanted.any.some((part) => impliesOne(given, part));
  if (given instanceof Or) return given.any.every((part) => impliesOne(part, wanted));
  if (given instanceof And) return given.all.some((part) => impliesOne(part, wanted));
  if (!(given instanceof PathPredicate) || !(wanted instanceof PathPredicate)) return false;
  return given.path.dotted === wanted.path.dotted && impliesOnPath(given, wanted);
}

/** Array operands are left out: an equal array may match as a whole or as an item. */
function impliesOnPath(given: PathPredicate, wanted: PathPredicate): boolean {
  const values =
    given.operator === '$eq' ? [given.operand] : given.operator === '$in' ? (given.operand as Value[]) : undefined;
  if (values !== undefined)
    return values.every((value) => !Array.isArray(value) && value !== null && wanted.testValue(value));
  if (given.operator === wanted.operator && compare(given.operand, wanted.operand) === 0) return true;
  if (!['$gt', '$gte', '$lt', '$lte'].includes(given.operator) || given.operand === null) return false;
  if (wanted.operator === '$exists') return true;
  if (rankOf(given.operand) !== rankOf(wanted.operand)) return false;
  const order = compare(given.operand, wanted.operand);
  switch (wanted.operator) {
    case '$gt':
      return (given.operator === '$gt' && order >= 0) || (given.operator === '$gte' && order > 0);
    case '$gte':
      return given.operator.startsWith('$gt') && order >= 0;
    case '$lt':
      return (given.operator === '$lt' && order <= 0) || (given.operator === '$lte' && order < 0);
    case '$lte':
      return given.operator.startsWith('$lt') && order <= 0;
    default:
      return false;
  }
}
