import { compileExpression, evaluate } from '../aggregate/expression.js';
import { toDouble, toIntegral } from '../bson/numbers.js';
import { show } from '../bson/show.js';
import { BSONRegExp, type Doc, isDoc, isNumber, isTruthy, TYPE_CODES, typeName, type Value } from '../bson/values.js';
import { PATH_QUERY_OPERATORS, TOP_LEVEL_QUERY_OPERATORS } from '../capabilities.js';
import { badValue, failedToParse, MongoError } from '../errors.js';
import { type FieldPath, fieldPath } from './path.js';
import { Pattern } from './pattern.js';
import {
  And,
  type Comparison,
  comparison,
  ExpressionPredicate,
  membership,
  Not,
  Or,
  PathPredicate,
  type Predicate,
  patternTest,
  type ValueTest,
} from './predicates.js';

/** Reads a filter document. Throws MongoError 2 (or the operator's own code) naming what is wrong or unknown. */
export function parseFilter(filter: Doc): And {
  const all: Predicate[] = [];
  for (const [key, value] of filter) {
    if (key.startsWith('$')) all.push(...parseTopLevel(key, value));
    else all.push(...parsePath(fieldPath(key), value));
  }
  return new And(all);
}

function parseTopLevel(key: string, value: Value): Predicate[] {
  switch (key) {
    case '$and':
      return clauses(key, value);
    case '$or':
      return [new Or(clauses(key, value))];
    case '$nor':
      return [new Not(new Or(clauses(key, value)))];
    case '$expr': {
      const expression = compileExpression(value);
      return [new ExpressionPredicate((document) => isTruthy(evaluate(expression, document)))];
    }
    case '$comment':
      return [];
    default:
      if (TOP_LEVEL_QUERY_OPERATORS.includes(key)) throw new Error(`unreachable: ${key}`);
      throw badValue(
        `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function clauses(key: string, value: Value): And[] {
  if (!Array.isArray(value)) throw badValue(`${key} must be an array`);
  if (value.length === 0) throw badValue(`${key} argument must be a non-empty array`);
  return value.map((clause) => {
    if (!isDoc(clause)) throw badValue(`${key} argument's entries must be objects`);
    return parseFilter(clause);
  });
}

/** True for `{$gt: 1, ...}`; throws for a mixture of operators and plain fields. */
export function isOperatorDoc(value: Value): value is Doc {
  if (!isDoc(value) || value.size === 0) return false;
  const [first] = value.keys();
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db';
}

function parsePath(path: FieldPath, value: Value): Predicate[] {
  if (value instanceof BSONRegExp) return [regexPredicate(path, value)];
  if (!isOperatorDoc(value)) return [new PathPredicate(path, '$eq', value, 'elements', comparison('$eq', value))];
  return parseOperators(path, value);
}

function parseOperators(path: FieldPath, operators: Doc): Predicate[] {
  const all: Predicate[] = [];
  for (const [operator, operand] of operators) {
    if (operator === '$options') {
      if (!operators.has('$regex')) throw badValue('$options needs a $regex');
      continue;
    }
    all.push(parseOperator(path, operator, operand, operators));
  }
  return all;
}

function parseOperator(path: FieldPath, operator: string, operand: Value, siblings: Doc): Predicate {
  const leaf = (test: ValueTest): PathPredicate => new PathPredicate(path, operator, operand, 'elements', test);
  const whole = (test: ValueTest): PathPredicate => new PathPredicate(path, operator, operand, 'whole', test);
  switch (operator) {
    case '$eq':
      return leaf(comparison('$eq', operand));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (operand instanceof BSONRegExp)
        throw badValue(`Can't have RegEx as arg to predicate over field '${path.dotted}'.`);
      return leaf(comparison(operator as Comparison, operand));
    case '$ne':
      if (operand instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
      return new Not(new PathPredicate(path, '$eq', operand, 'elements', comparison('$eq', operand)));
    case '$in':
      return leaf(parseMembership(operator, operand));
    case '$nin':
      return new Not(leaf(parseMembership(operator, operand)));
    case '$not':
      return parseNot(path, operand);
    case '$exists': {
      const present = leaf((value) => value !== undefined);
      return isTruthy(operand) ? present : new Not(present);
    }
    case '$type':
      return leaf(parseType(operand));
    case '$regex':
      return regexPredicate(path, regexOf(operand, siblings.get('$options')));
    case '$mod':
      return leaf(parseMod(operand));
    case '$size':
      return whole(parseSize(operand));
    case '$all':
      return parseAll(path, operand);
    case '$elemMatch':
      return new ElemMatch(path, operand, parseElementTest(operand));
    default:
      if (PATH_QUERY_OPERATORS.includes(operator)) throw new Error(`unreachable: ${operator}`);
      throw badValue(`unknown operator: ${operator}`);
  }
}

function parseNot(path: FieldPath, operand: Value): Predicate {
  if (operand instanceof BSONRegExp) return new Not(regexPredicate(path, operand));
  if (!isDoc(operand)) throw badValue('$not needs a regex or a document');
  if (operand.size === 0) throw badValue('$not cannot be empty');
  for (const key of operand.keys()) if (!key.startsWith('$')) throw badValue(`unknown operator: ${key}`);
  return new Not(new And(parseOperators(path, operand)));
}

function parseMembership(operator: string, operand: Value): ValueTest {
  if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`);
  if (operand.some((item) => isOperatorDoc(item))) throw badValue(`cannot nest $ under ${operator}`);
  const patterns = operand.filter((item) => item instanceof BSONRegExp).map((item) => new Pattern(item));
  return membership(operand, patterns);
}

function parseType(operand: Value): ValueTest {
  const wanted = new Set<string>();
  const operands = Array.isArray(operand) ? operand : [operand];
  if (operands.length === 0) throw failedToParse('$type must match at least one type');
  for (const item of operands) for (const name of typesOf(item)) wanted.add(name);
  return (value) => value !== undefined && wanted.has(typeName(value));
}

function typesOf(operand: Value): string[] {
  if (typeof operand === 'string') {
    if (operand === 'number') return ['int', 'long', 'double', 'decimal'];
    if (!TYPE_CODES.has(operand)) throw badValue(`Unknown type name alias: ${operand}`);
    return [operand];
  }
  if (!isNumber(operand)) throw new MongoError(14, 'type must be represented as a number or a string');
  const code = toIntegral(operand);
  for (const [name, known] of TYPE_CODES) if (code === BigInt(known)) return [name];
  throw badValue(`Invalid numerical type code: ${show(operand)}`);
}

function parseMod(operand: Value): ValueTest {
  if (!Array.isArray(operand)) throw badValue('malformed mod, needs to be an array');
  if (operand.length < 2) throw badValue('malformed mod, not enough elements');
  if (operand.length > 2) throw badValue('malformed mod, too many elements');
  const [divisor, remainder] = operand.map((item, place) => {
    if (!isNumber(item)) throw badValue(`malformed mod, ${place === 0 ? 'divisor' : 'remainder'} not a number`);
    return truncated(item);
  });
  if (divisor === undefined || remainder === undefined) throw badValue('malformed mod, divisor value is invalid');
  if (divisor === 0n) throw badValue('divisor cannot be 0');
  return (value) =>
    isNumber(value) && truncated(value) !== undefined && (truncated(value) as bigint) % divisor === remainder;
}

/** Truncates a number towards zero; undefined for NaN and infinities. */
function truncated(value: Value): bigint | undefined {
  if (!isNumber(value)) return undefined;
  const integral = toIntegral(value);
  if (integral !== undefined) return integral;
  const nearest = toDouble(value);
  return Number.isFinite(nearest) ? BigInt(Math.trunc(nearest)) : undefined;
}

function parseSize(operand: Value): ValueTest {
  const size = isNumber(operand) ? toIntegral(operand) : undefined;
  if (!isNumber(operand)) throw failedToParse(`Failed to parse $size. Expected a number in: $size: ${show(operand)}`);
  if (size === undefined) throw failedToParse(`Failed to parse $size. Expected an integer: $size: ${show(operand)}`);
  if (size < 0n)
    throw failedToParse(`Failed to parse $size. Expected a non-negative number in: $size: ${show(operand)}`);
  return (value) => Array.isArray(value) && BigInt(value.length) === size;
}

function parseAll(path: FieldPath, operand: Value): Predicate {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  if (operand.length === 0) return new Or([]);
  const nested = operand.map((item) => isDoc(item) && item.keys().next().value === '$elemMatch');
  if (nested.includes(true) && nested.includes(false)) throw badValue('no $ expressions in $all');
  return new And(
    operand.map((item): Predicate => {
      if (item instanceof BSONRegExp) return regexPredicate(path, item);
      if (!isOperatorDoc(item)) return new PathPredicate(path, '$eq', item, 'elements', comparison('$eq', item));
      if (!item.has('$elemMatch')) throw badValue('no $ expressions in $all');
      const inner = item.get('$elemMatch') as Value;
      return new ElemMatch(path, inner, parseElementTest(inner));
    }),
  );
}

/** One array item against `$elemMatch`'s operand: operators on the item itself, or a filter on a sub-document. */
export function parseElementTest(operand: Value): (item: Value) => boolean {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object');
  if (isOperatorDoc(operand) && !['$and', '$or', '$nor', '$expr'].includes(operand.keys().next().value as string)) {
    return parseItemTest(operand);
  }
  const inner = parseFilter(operand);
  return (item) => {
    if (isDoc(item)) return inner.test(item);
    return Array.isArray(item) && inner.test(new Map(item.map((value, place) => [String(place), value])));
  };
}

/** Operators tested on one value without entering it: `{$gt: 1, $lt: 5}` as in `$elemMatch`, `$pull` and array filters. */
export function parseItemTest(operators: Doc): (item: Value) => boolean {
  const ITEM = fieldPath('');
  const inner = parseOperators(ITEM, operators);
  return (item) => inner.every((predicate) => testItem(predicate, item));
}

function testItem(predicate: Predicate, item: Value): boolean {
  if (predicate instanceof PathPredicate) return predicate.testValue(item);
  if (predicate instanceof Not) return !testItem(predicate.inner, item);
  if (predicate instanceof And) return predicate.all.every((inner) => testItem(inner, item));
  if (predicate instanceof Or) return predicate.any.some((inner) => testItem(inner, item));
  return predicate.test(new Map([['', item]]));
}

class ElemMatch extends PathPredicate {
  constructor(path: FieldPath, operand: Value, testItemOf: (item: Value) => boolean) {
    super(path, '$elemMatch', operand, 'whole', (value) => Array.isArray(value) && value.some(testItemOf));
    this.itemTest = testItemOf;
  }
  private readonly itemTest: (item: Value) => boolean;

  override test(document: Doc, position?: { index: number | undefined }): boolean {
    if (position === undefined) return super.test(document);
    return super.test(document, position) && this.note(document, position);
  }

  /** Notes the position of the first matching item, unless an outer array has noted one. */
  private note(document: Doc, position: { index: number | undefined }): boolean {
    let value: Value | undefined = document;
    for (const part of this.path.parts) value = isDoc(value) ? value.get(part.name) : undefined;
    if (Array.isArray(value)) position.index = value.findIndex(this.itemTest);
    return true;
  }
}

function regexPredicate(path: FieldPath, source: BSONRegExp): PathPredicate {
  return new PathPredicate(path, '$regex', source, 'elements', patternTest(new Pattern(source), source));
}

function regexOf(operand: Value, options: Value | undefined): BSONRegExp {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (typeof operand === 'string') return new BSONRegExp(operand, options ?? '');
  if (!(operand instanceof BSONRegExp)) throw badValue('$regex has to be a string');
  if (options !== undefined && operand.options !== '')
    throw new MongoError(51074, 'options set in both $regex and $options');
  return options === undefined ? operand : new BSONRegExp(operand.pattern, options);
}
