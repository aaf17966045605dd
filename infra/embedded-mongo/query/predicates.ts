import { compare, compareStrings, equal, RANK, rankOf } from '../bson/compare.js';
import { toDouble } from '../bson/numbers.js';
import { type BSONRegExp, type Doc, isNumber, MaxKey, MinKey, type Value } from '../bson/values.js';
import { type FieldPath, type LeafArrays, type MatchedPosition, someAt } from './path.js';
import type { Pattern } from './pattern.js';

/** A condition on a whole document. `position` receives the array place that made it true. */
export interface Predicate {
  test(document: Doc, position?: MatchedPosition): boolean;
}

/** A condition on one value; undefined stands for a missing field. */
export type ValueTest = (value: Value | undefined) => boolean;

/** A condition on the values at a path. The planner reads operator and operand; the test alone decides. */
export class PathPredicate implements Predicate {
  readonly path: FieldPath;
  readonly operator: string;
  readonly operand: Value;
  readonly testValue: ValueTest;
  private readonly leaf: LeafArrays;

  constructor(path: FieldPath, operator: string, operand: Value, leaf: LeafArrays, testValue: ValueTest) {
    this.path = path;
    this.operator = operator;
    this.operand = operand;
    this.leaf = leaf;
    this.testValue = testValue;
  }

  test(document: Doc, position?: MatchedPosition): boolean {
    return someAt(document, this.path, this.leaf, this.testValue, position);
  }
}

export class And implements Predicate {
  readonly all: readonly Predicate[];
  constructor(all: readonly Predicate[]) {
    this.all = all;
  }
  test(document: Doc, position?: MatchedPosition): boolean {
    for (const predicate of this.all) if (!predicate.test(document, position)) return false;
    return true;
  }
}

export class Or implements Predicate {
  readonly any: readonly Predicate[];
  constructor(any: readonly Predicate[]) {
    this.any = any;
  }
  test(document: Doc, position?: MatchedPosition): boolean {
    for (const predicate of this.any) if (predicate.test(document, position)) return true;
    return false;
  }
}

export class Not implements Predicate {
  readonly inner: Predicate;
  constructor(inner: Predicate) {
    this.inner = inner;
  }
  test(document: Doc): boolean {
    return !this.inner.test(document);
  }
}

export class ExpressionPredicate implements Predicate {
  private readonly evaluate: (document: Doc) => boolean;
  constructor(evaluate: (document: Doc) => boolean) {
    this.evaluate = evaluate;
  }
  test(document: Doc): boolean {
    return this.evaluate(document);
  }
}

export type Comparison = '$eq' | '$gt' | '$gte' | '$lt' | '$lte';

/** Compares a value with an operand. Values of another type rank never match, except null and missing, and the key ends. */
export function comparison(operator: Comparison, operand: Value): ValueTest {
  if (operator === '$eq') return equality(operand);
  if (operand instanceof MinKey || operand instanceof MaxKey) return againstKeyEnd(operator, operand);
  if (isNumber(operand) && Number.isNaN(toDouble(operand))) return operator.endsWith('e') ? isNaNValue : () => false;
  const rank = rankOf(operand);
  const holds = HOLDS[operator];
  return (value) => {
    if (value === undefined) return operand === null && operator.endsWith('e');
    if (rankOf(value) !== rank) return false;
    if (rank === RANK.number && isNaNValue(value)) return false;
    return holds(compare(value, operand));
  };
}

const HOLDS: Record<Exclude<Comparison, '$eq'>, (order: number) => boolean> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

const isNaNValue = (value: Value | undefined): boolean => isNumber(value) && Number.isNaN(toDouble(value));

function equality(operand: Value): ValueTest {
  if (operand === null) return (value) => value === undefined || value === null;
  if (typeof operand === 'string') return (value) => value === operand;
  return (value) => value !== undefined && equal(value, operand);
}

function againstKeyEnd(operator: Comparison, operand: MinKey | MaxKey): ValueTest {
  const holds = HOLDS[operator as Exclude<Comparison, '$eq'>];
  return (value) => holds(value === undefined ? compare(null, operand) : compare(value, operand));
}

/** Tests membership in a set of operands by binary search; regular expressions in it match by pattern. */
export function membership(operands: readonly Value[], patterns: readonly Pattern[]): ValueTest {
  const sorted = [...operands].sort(compare);
  const hasNull = sorted.some((operand) => operand === null);
  return (value) => {
    if (value === undefined) return hasNull;
    let low = 0;
    let high = sorted.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = compare(sorted[middle] as Value, value);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return typeof value === 'string' && patterns.some((pattern) => pattern.test(value));
  };
}

/** Matches strings by the pattern, and an identical stored regular expression. */
export function patternTest(pattern: Pattern, source: BSONRegExp): ValueTest {
  return (value) => {
    if (typeof value === 'string') return pattern.test(value);
    if (value === undefined || value === null || rankOf(value) !== RANK.regex) return false;
    const stored = value as BSONRegExp;
    return compareStrings(stored.pattern, source.pattern) === 0 && stored.options === source.options;
  };
}
