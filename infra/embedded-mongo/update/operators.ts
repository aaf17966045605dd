import { compare, equal } from '../bson/compare.js';
import { arithmetic, integer, toIntegral } from '../bson/numbers.js';
import { show } from '../bson/show.js';
import { clone, type Doc, Int32, isDoc, isNumber, Long, Timestamp, typeName, type Value } from '../bson/values.js';
import { badValue, failedToParse, typeMismatch } from '../errors.js';
import { isOperatorDoc, parseFilter, parseItemTest } from '../query/parse.js';
import type { FieldPath } from '../query/path.js';
import { comparison } from '../query/predicates.js';
import { parsePush } from './push.js';
import type { ChangeContext } from './target.js';

/** The change at the end of a path. */
export type LeafChange =
  | {
      kind: 'value' | 'onInsert';
      /** Applies to existing fields only. */
      onlyExisting: boolean;
      /** The new value; undefined leaves the field as it is. Never changes `current`'s shared leaves. */
      next: (current: Value | undefined, context: ChangeContext) => Value | undefined;
    }
  | { kind: 'remove' }
  | { kind: 'renameFrom' }
  | { kind: 'renameTo'; from: FieldPath };

type Next = (current: Value | undefined, context: ChangeContext) => Value | undefined;
const value = (next: Next): LeafChange => ({ kind: 'value', onlyExisting: false, next });
const existing = (next: Next): LeafChange => ({ kind: 'value', onlyExisting: true, next });

/** Reads one operator's operand for one path. Throws 2, 9 or 14 as MongoDB does. */
export function leafOperator(operator: string, dotted: string, operand: Value): LeafChange {
  switch (operator) {
    case '$set':
      return value(() => clone(operand));
    case '$setOnInsert':
      return { kind: 'onInsert', onlyExisting: false, next: () => clone(operand) };
    case '$unset':
      return { kind: 'remove' };
    case '$inc':
    case '$mul':
      return arithmeticChange(operator, dotted, operand);
    case '$min':
      return value((current) => (current === undefined || compare(operand, current) < 0 ? clone(operand) : undefined));
    case '$max':
      return value((current) => (current === undefined || compare(operand, current) > 0 ? clone(operand) : undefined));
    case '$currentDate':
      return currentDate(dotted, operand);
    case '$push':
      return value(parsePush(dotted, operand));
    case '$addToSet':
      return value(addToSet(operand));
    case '$pop':
      return existing(pop(dotted, operand));
    case '$pull':
      return existing(pull(operand));
    case '$pullAll':
      return existing(pullAll(operand));
    case '$bit':
      return value(bit(dotted, operand));
    default:
      throw new Error(`unreachable: ${operator}`);
  }
}

function arithmeticChange(operator: '$inc' | '$mul', dotted: string, operand: Value): LeafChange {
  const verb = operator === '$inc' ? 'increment' : 'multiply';
  if (!isNumber(operand)) {
    throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${dotted}: ${show(operand)}}`);
  }
  return value((current, { before }) => {
    if (current === undefined) {
      return operator === '$inc' ? operand : arithmetic('*', operand, new Int32(0), () => badValue('unreachable'));
    }
    if (!isNumber(current)) {
      const where = `{_id: ${show(before.get('_id'))}}`;
      const name = dotted.split('.').at(-1);
      throw typeMismatch(
        `Cannot apply ${operator} to a value of non-numeric type. ${where} has the field '${name}' of non-numeric type ${typeName(current)}`,
      );
    }
    return arithmetic(operator === '$inc' ? '+' : '*', current, operand, () =>
      badValue(
        `Failed to apply ${operator} operations to current value ((${typeOfNumber(current)})${show(current)}) for document {_id: ${show(before.get('_id'))}}`,
      ),
    );
  });
}

const typeOfNumber = (number: Value): string => (number instanceof Long ? 'NumberLong' : 'NumberInt');

function currentDate(dotted: string, operand: Value): LeafChange {
  const wanted = isDoc(operand) ? operand.get('$type') : operand;
  if (isDoc(operand)) {
    for (const key of operand.keys()) if (key !== '$type') throw badValue(`Unrecognized $currentDate option: ${key}`);
    if (wanted !== 'date' && wanted !== 'timestamp') {
      throw badValue(
        "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
      );
    }
  } else if (typeof wanted !== 'boolean') {
    throw badValue(
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}) (field '${dotted}').`,
    );
  }
  return value((_, { nowMs }) =>
    wanted === 'timestamp' ? new Timestamp({ t: Math.floor(nowMs / 1000), i: 1 }) : new Date(nowMs),
  );
}

function addToSet(operand: Value): Next {
  const items = eachOf(operand);
  return (current, { dotted, before }) => {
    if (current !== undefined && !Array.isArray(current)) throw notArray('$addToSet', dotted, current, before);
    const set = [...(current ?? [])];
    for (const item of items) if (!set.some((other) => equal(other, item))) set.push(clone(item));
    return set;
  };
}

function eachOf(operand: Value): Value[] {
  if (!isDoc(operand) || operand.keys().next().value !== '$each') return [operand];
  const each = operand.get('$each') as Value;
  if (!Array.isArray(each))
    throw typeMismatch(`The argument to $each in $addToSet must be an array but it was of type ${typeName(each)}`);
  if (operand.size > 1) throw badValue(`Found unexpected fields after $each in $addToSet: ${show(operand)}`);
  return each;
}

function notArray(operator: string, dotted: string, current: Value, before: Doc): Error {
  const where = `Document with {_id: ${show(before.get('_id'))}}`;
  if (operator === '$pull' || operator === '$pullAll') return badValue(`Cannot apply ${operator} to a non-array value`);
  if (operator === '$pop')
    return typeMismatch(`Path '${dotted}' contains an element of non-array type '${typeName(current)}'`);
  return badValue(
    `Cannot apply ${operator} to non-array field. Field named '${dotted.split('.').at(-1)}' has non-array type ${typeName(current)}`.concat(
      operator === '$push' ? ` in the ${where}` : '',
    ),
  );
}

function pop(dotted: string, operand: Value): Next {
  const end = isNumber(operand) ? toIntegral(operand) : undefined;
  if (!isNumber(operand)) throw failedToParse(`Expected a number in: ${dotted}: ${show(operand)}`);
  if (end !== 1n && end !== -1n) throw failedToParse(`$pop expects 1 or -1, found: ${show(operand)}`);
  return (current, { before }) => {
    if (!Array.isArray(current)) throw notArray('$pop', dotted, current as Value, before);
    return end === 1n ? current.slice(0, -1) : current.slice(1);
  };
}

function pull(operand: Value): Next {
  const matches = pullTest(operand);
  return (current, { dotted, before }) => {
    if (!Array.isArray(current)) throw notArray('$pull', dotted, current as Value, before);
    return current.filter((item) => !matches(item));
  };
}

/** The test of `$pull`: a document filters sub-documents, operators and patterns test the item, anything else must be equal. */
function pullTest(operand: Value): (item: Value) => boolean {
  if (isDoc(operand)) {
    const isOfDocuments = ['$and', '$or', '$nor'].includes(operand.keys().next().value as string);
    if (isOperatorDoc(operand) && !isOfDocuments) return parseItemTest(operand);
    const filter = parseFilter(operand);
    return (item) => isDoc(item) && filter.test(item);
  }
  const isPattern = operand !== null && typeof operand === 'object' && 'pattern' in operand;
  if (isPattern) return parseItemTest(new Map([['$regex', operand]]));
  return comparison('$eq', operand);
}

function pullAll(operand: Value): Next {
  if (!Array.isArray(operand))
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  return (current, { dotted, before }) => {
    if (!Array.isArray(current)) throw notArray('$pullAll', dotted, current as Value, before);
    return current.filter((item) => !operand.some((other) => equal(item, other)));
  };
}

function bit(dotted: string, operand: Value): Next {
  if (!isDoc(operand))
    throw badValue(
      `The $bit modifier is not compatible with a ${typeName(operand)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  const steps = [...operand].map(([name, amount]): ((bits: bigint) => bigint) => {
    if (!(amount instanceof Int32) && !(amount instanceof Long)) {
      throw badValue(
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(amount)}' is not supported here: {${name}: ${show(amount)}}`,
      );
    }
    const mask = BigInt(amount instanceof Long ? amount.toBigInt() : amount.value);
    if (name === 'and') return (bits) => bits & mask;
    if (name === 'or') return (bits) => bits | mask;
    if (name === 'xor') return (bits) => bits ^ mask;
    throw badValue(
      `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${show(amount)}}`,
    );
  });
  if (steps.length === 0)
    throw badValue(`You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}`);
  const wide = [...operand.values()].some((amount) => amount instanceof Long);
  return (current = new Int32(0), { before }) => {
    if (!(current instanceof Int32) && !(current instanceof Long)) {
      throw badValue(
        `Cannot apply $bit to a value of non-integral type.{_id: ${show(before.get('_id'))}} has the field ${dotted} of non-integer type ${typeName(current)}`,
      );
    }
    const start = BigInt(current instanceof Long ? current.toBigInt() : current.value);
    return integer(
      steps.reduce((bits, step) => step(bits), start),
      wide || current instanceof Long,
      () => badValue('unreachable'),
    );
  };
}

export { notArray };
